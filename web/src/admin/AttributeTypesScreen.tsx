// Attribute types: what kind of value a field holds, and the items of a set (B 2.5).
import { Button } from 'primereact/button';
import { InputSwitch } from 'primereact/inputswitch';
import { useState } from 'react';
import { useApi } from '../api/hooks';
import type { AttributeTypeRow, EnumItemRow } from '../api/types';
import { FileKindsInput } from './registers/FileKinds';
import { isEditable } from '../crud/CrudDialog';
import { CrudList, CrudScreen } from '../crud/CrudScreen';
import { YES_NO, yesNo } from '../crud/CrudTable';
import { firstMissing } from '../crud/useForm';
import { formatNumber } from '../format';
import { ValueType } from '../forms/valueType';
import { t } from '../messages';
import { OtherUnits } from './OtherUnits';
import { UnusedTypes } from './UnusedTypes';

const text = t.admin.attributeTypes;
const items = t.admin.enumItems;

const EMPTY: AttributeTypeRow = {
  id: 0,
  naziv: '',
  tipVrednostiAtributa: null,
  jedinica: null,
  drugeJedinice: [],
  decimaleBrojneVrednosti: null,
  donjaGranicaBrojneVrednosti: null,
  gornjaGranicaBrojneVrednosti: null,
  sirina: null,
  visina: null,
  napomena: null,
  vrsteFajlova: null,
  najviseFajlova: null,
  najviseMegabajta: null,
  samoPravopis: false,
};

export default function AttributeTypesScreen() {
  const { data: kinds } = useApi('/api/value-types');
  const [isUnused, setUnused] = useState(false);
  return (
    <CrudScreen<AttributeTypeRow, 'attributeType'>
      key={String(isUnused)}
      path="/api/attribute-types"
      resource="attributeType"
      title={text.title}
      what={text.what}
      name={({ naziv }) => naziv}
      empty={EMPTY}
      columns={['naziv', 'nazivTipaVrednostiAtributa']}
      narrow={isUnused ? { 'filter.imaPolja': false } : undefined}
      tools={(reload) => (
        <>
          <Button
            label={text.onlyUnused}
            icon="pi pi-filter"
            text={!isUnused}
            severity="secondary"
            aria-pressed={isUnused}
            onClick={() => setUnused(!isUnused)}
          />
          <UnusedTypes onRemoved={reload} />
        </>
      )}
      validate={(type) =>
        firstMissing(type, [
          ['naziv', text.missingNaziv],
          ['tipVrednostiAtributa', text.missingKind],
        ])
      }
      fields={(field, _, type) => (
        <>
          {field.text('naziv', { required: true })}
          {field.select('tipVrednostiAtributa', kinds?.data.map(({ numVrednost, naziv }) => ({ value: numVrednost, label: naziv })) ?? [], {
            required: true,
          })}
          {field.text('jedinica')}
          {type.id !== 0 && type.tipVrednostiAtributa === ValueType.Number && field.toggle('samoPravopis', { help: text.spellingHelp })}
          {type.tipVrednostiAtributa === ValueType.Number &&
            field.custom('drugeJedinice', { help: t.admin.otherUnits.help }, (_control, form) => (
              <OtherUnits value={form.record.drugeJedinice} disabled={form.disabled} onChange={(next) => form.set('drugeJedinice', next)} />
            ))}
          {field.number('decimaleBrojneVrednosti')}
          {field.number('donjaGranicaBrojneVrednosti', { decimals: 10 })}
          {field.number('gornjaGranicaBrojneVrednosti', { decimals: 10 })}
          {field.number('sirina')}
          {field.number('visina')}
          {field.custom('vrsteFajlova', {}, (control, form) => (
            <FileKindsInput
              control={control}
              chosen={form.record.vrsteFajlova}
              disabled={form.disabled}
              onChange={(kinds) => form.set('vrsteFajlova', kinds)}
            />
          ))}
          {field.number('najviseFajlova')}
          {field.number('najviseMegabajta')}
          {field.area('napomena')}
        </>
      )}
      tabs={({ id, tipVrednostiAtributa }, mode) => [
        {
          title: items.title,
          disabled: mode === 'create' || tipVrednostiAtributa !== ValueType.Set,
          content: <EnumItems type={id} readOnly={!isEditable(mode)} />,
        },
      ]}
    />
  );
}

const NO_ITEM: EnumItemRow = {
  id: 0,
  tipAtributaID: null,
  naziv: '',
  numVrednost: null,
  bezTezine: false,
  opis: null,
  opcioni: true,
  redosled: 0,
  sifraVeza: null,
  mozeSeIzabrati: true,
  drugoZnacenje: false,
};

function EnumItems({ type, readOnly }: { type: number; readOnly: boolean }) {
  return (
    <CrudList<EnumItemRow, 'enumItem'>
      path="/api/enum-items"
      scope={{ tipAtributa: type }}
      resource="enumItem"
      title={items.title}
      what={items.what}
      name={({ naziv }) => naziv}
      empty={NO_ITEM}
      readOnly={readOnly}
      columns={[
        'redosled',
        'naziv',
        { field: 'numVrednost', body: ({ numVrednost }) => (numVrednost === null ? items.noWeight : formatNumber(numVrednost)) },
        'opis',
        'sifraVeza',
        { field: 'opcioni', body: ({ opcioni }) => yesNo(opcioni), filter: YES_NO },
      ]}
      validate={(item) =>
        firstMissing(item, [['naziv', items.missingNaziv], ...(item.bezTezine ? [] : [['numVrednost', items.missingNumber] as const])])
      }
      fields={(field, _, { id, bezTezine }) => (
        <>
          {field.text('naziv', { required: true })}
          {id !== 0 && field.toggle('drugoZnacenje', { help: items.meaningHelp })}
          {field.number('numVrednost', { required: !bezTezine, readOnly: bezTezine, decimals: 10 })}
          {field.custom('bezTezine', { help: items.noWeightHelp }, (control, form) => (
            <InputSwitch
              inputId={control.id}
              aria-describedby={control['aria-describedby']}
              checked={bezTezine}
              onChange={({ value }) => {
                form.set('bezTezine', value);
                if (value) form.set('numVrednost', null);
                form.misreads('numVrednost', null);
              }}
              disabled={form.disabled}
            />
          ))}
          {field.number('redosled')}
          {field.text('sifraVeza')}
          {field.area('opis')}
          {field.toggle('opcioni')}
          {field.toggle('mozeSeIzabrati', { help: items.choosableHelp })}
        </>
      )}
    />
  );
}
