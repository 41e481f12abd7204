// Parameters: tabs of switches, each of which saves itself, and of what is typed (B 2.1).
import { Dropdown } from 'primereact/dropdown';
import { InputSwitch } from 'primereact/inputswitch';
import { TabPanel, TabView } from 'primereact/tabview';
import { useId, useState } from 'react';
import { useSWRConfig } from 'swr';
import { api } from '../api/client';
import { useApi, useList } from '../api/hooks';
import { t } from '../messages';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { Loading, LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import style from './admin.module.css';
import { TextParameter } from './TextParameter';

const text = t.admin.parameters;
type Name = keyof typeof text.names;

const PATIENT: readonly Name[] = [
  'prikazPacijentZanimanje',
  'prikazPacijentStrucnaSprema',
  'prikazPacijentRadnoMesto',
  'prikazPacijentMedicinskaNapomena',
  'prikazPacijentAdministrativnaNapomena',
];
const SEARCH: readonly Name[] = [
  'kriterijumGodinaOd',
  'kriterijumGodinaDo',
  'kriterijumIme',
  'kriterijumPrezime',
  'kriterijumJMBG',
  'kriterijumLBO',
  'kriterijumPol',
  'odabirDatumaPregledaPreUnosa',
];
/** Parameters that are typed. */
const REPORTS: readonly (keyof typeof text.reports)[] = [
  'izvestajDomeniPrimalaca',
  'izvestajNajvisePrimalaca',
  'izvestajNaslovPoruke',
  'izvestajTekstPoruke',
  'izvestajImeFajla',
  'izvestajNajviseRedovaPdf',
  'danaCuvanjaIzvestaja',
  'zakazivanjeNajviseNeuspeha',
  'izvozNajviseRedova',
  'danaCuvanjaIzvoza',
  'uvozNajviseMegabajta',
  'fajlNajviseMegabajta',
];
const SIGN_IN: readonly (keyof typeof text.signIn)[] = ['zakljucavanjeMinuta'];
/** What one institution sees of another's patients. */
const OTHERS: readonly (keyof typeof text.others)[] = [
  'najmanjaTudjaGrupa',
  'najmanjiIzvozBezIdentiteta',
  'najvisePretragaTudjihNaSat',
  'najvisePogresnihPreuzimanjaNaSat',
  'najvisePreuzimanjaNaDan',
  'najviseProveraBrojevaNaSat',
];
const RESULTS = 'brojRezultataUPretrazi';
const COUNTS = [50, 100, 200, 1000, -1].map((value) => ({ value: String(value), label: value === -1 ? text.all : String(value) }));

export default function ParametersScreen() {
  const saved = useList('/api/parameters');
  const known = useApi('/api/parameter/poznati');
  const error = saved.error ?? known.error;
  const values = new Map(saved.data?.data.map(({ naziv, vrednost }) => [naziv, vrednost]));
  const held = new Map(known.data?.map((one) => [one.naziv, one]));
  const isOn = (name: Name) => held.get(name)?.vazi === 'true';
  const typed = (naziv: string, { label, help }: { label: string; help: string }) => {
    const { vazi = '', dozvoljeno } = held.get(naziv) ?? {};
    const value = values.get(naziv) ?? vazi;
    return (
      <TextParameter
        key={naziv}
        naziv={naziv}
        label={label}
        help={text.help(help, dozvoljeno)}
        // Only a number says what it may be; one that an older version took holds no more.
        fault={dozvoljeno && Number(value) !== Number(vazi) ? text.notHeld(vazi, dozvoljeno) : null}
        value={value}
        lines={naziv === 'izvestajTekstPoruke' ? 2 : 1}
      />
    );
  };
  return (
    <Page title={text.title} lead={text.lead}>
      <Panel flush>
        {saved.data && known.data ? (
          <TabView className={style.tabs}>
            <TabPanel header={text.patient}>
              <ul className={style.switches}>
                {PATIENT.map((name) => (
                  <Switch key={name} name={name} on={isOn(name)} />
                ))}
              </ul>
            </TabPanel>
            <TabPanel header={text.search}>
              <ul className={style.switches}>
                {SEARCH.map((name) => (
                  <Switch key={name} name={name} on={isOn(name)} />
                ))}
                <ResultCount value={held.get(RESULTS)?.vazi ?? ''} />
              </ul>
            </TabPanel>
            <TabPanel header={text.ofReports}>
              <ul className={style.switches}>{REPORTS.map((naziv) => typed(naziv, text.reports[naziv]))}</ul>
            </TabPanel>
            <TabPanel header={text.ofOthers}>
              <ul className={style.switches}>
                <Switch name="tudjiUnosiPreuzetogPacijenta" on={isOn('tudjiUnosiPreuzetogPacijenta')} />
                {OTHERS.map((naziv) => typed(naziv, text.others[naziv]))}
              </ul>
            </TabPanel>
            <TabPanel header={text.ofSignIn}>
              <ul className={style.switches}>{SIGN_IN.map((naziv) => typed(naziv, text.signIn[naziv]))}</ul>
            </TabPanel>
          </TabView>
        ) : error ? (
          <LoadFailed error={error} retry={() => void Promise.all([saved.mutate(), known.mutate()])} />
        ) : (
          <Loading lines={6} />
        )}
      </Panel>
    </Page>
  );
}

/** Saves a parameter by its name; the value that is on its way is shown until the list has it. */
function useParameter(naziv: string, label: string) {
  const [coming, setComing] = useState<string | null>(null);
  const { mutate } = useSWRConfig();
  const toast = useToast();
  async function save(vrednost: string) {
    setComing(vrednost);
    try {
      await api.post('/api/parameters', { naziv, vrednost });
      // The patients' form and the search read the same parameters under other addresses.
      await mutate((key) => typeof key === 'string' && key.startsWith('/api/parameter'));
      toast.success(t.crud.updated(label));
    } catch (error) {
      toast.failure(`${text.failed}: ${label}`, error);
    }
    setComing(null);
  }
  return { coming, save };
}

function Switch({ name, on }: { name: Name; on: boolean }) {
  const id = useId();
  const { coming, save } = useParameter(name, text.names[name]);
  return (
    <li>
      <label htmlFor={id}>{text.names[name]}</label>
      <InputSwitch
        inputId={id}
        checked={coming === null ? on : coming === 'true'}
        disabled={coming !== null}
        onChange={({ value }) => void save(String(value))}
      />
    </li>
  );
}

function ResultCount({ value }: { value: string }) {
  const id = useId();
  const { coming, save } = useParameter(RESULTS, text.results);
  return (
    <li>
      <label htmlFor={id}>{text.results}</label>
      <Dropdown
        inputId={id}
        value={coming ?? value}
        options={COUNTS}
        disabled={coming !== null}
        onChange={(e) => void save(e.value as string)}
      />
    </li>
  );
}
