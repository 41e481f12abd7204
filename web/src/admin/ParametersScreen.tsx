// Parameters: tabs of switches, each of which saves itself, and of what is typed (B 2.1).
import { Dropdown } from 'primereact/dropdown';
import { InputSwitch } from 'primereact/inputswitch';
import { TabPanel, TabView } from 'primereact/tabview';
import { useId, useState } from 'react';
import { useSWRConfig } from 'swr';
import { api } from '../api/client';
import { useList } from '../api/hooks';
import type { Parameter } from '../api/types';
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
/** Parameters that are typed, with what holds while nobody has saved them. */
const REPORTS: readonly { naziv: keyof typeof text.reports; unsaved: string; lines?: number }[] = [
  { naziv: 'izvestajDomeniPrimalaca', unsaved: '' },
  { naziv: 'izvestajNajvisePrimalaca', unsaved: '20' },
  { naziv: 'izvestajNaslovPoruke', unsaved: '{aplikacija}: {izvestaj} – {period}' },
  { naziv: 'izvestajTekstPoruke', unsaved: '{vrsta} „{izvestaj}” je spreman.', lines: 2 },
  { naziv: 'izvestajImeFajla', unsaved: '{izvestaj}-{period}' },
  { naziv: 'izvestajNajviseRedovaPdf', unsaved: '10000' },
  { naziv: 'izvozNajviseRedova', unsaved: '500000' },
  { naziv: 'danaCuvanjaIzvoza', unsaved: '7' },
  { naziv: 'uvozNajviseMegabajta', unsaved: '20' },
  { naziv: 'fajlNajviseMegabajta', unsaved: '10' },
];
/** The same, of the sign-in. */
const SIGN_IN: readonly { naziv: keyof typeof text.signIn; unsaved: string }[] = [{ naziv: 'zakljucavanjeMinuta', unsaved: '15' }];
/** The same, of what one institution sees of another's patients. */
const OTHERS: readonly { naziv: keyof typeof text.others; unsaved: string }[] = [
  { naziv: 'najmanjaTudjaGrupa', unsaved: '5' },
  { naziv: 'najvisePretragaTudjihNaSat', unsaved: '200' },
  { naziv: 'najvisePogresnihPreuzimanjaNaSat', unsaved: '5' },
  { naziv: 'najvisePreuzimanjaNaDan', unsaved: '20' },
  { naziv: 'najviseProveraBrojevaNaSat', unsaved: '100' },
];
const RESULTS = 'brojRezultataUPretrazi';
const COUNTS = [50, 100, 200, 1000, -1].map((value) => ({ value: String(value), label: value === -1 ? text.all : String(value) }));

export default function ParametersScreen() {
  const { data, error, mutate } = useList<Parameter>('/api/parameters');
  const values = new Map(data?.data.map(({ naziv, vrednost }) => [naziv, vrednost]));
  // A switch that was never saved is as the server takes it: criteria are shown, optional data of patients are not.
  const isOn = (name: Name, missing: boolean) => (values.get(name) ?? String(missing)) === 'true';
  return (
    <Page title={text.title} lead={text.lead}>
      <Panel flush>
        {data ? (
          <TabView className={style.tabs}>
            <TabPanel header={text.patient}>
              <ul className={style.switches}>
                {PATIENT.map((name) => (
                  <Switch key={name} name={name} on={isOn(name, false)} />
                ))}
              </ul>
            </TabPanel>
            <TabPanel header={text.search}>
              <ul className={style.switches}>
                {SEARCH.map((name) => (
                  <Switch key={name} name={name} on={isOn(name, true)} />
                ))}
                <ResultCount value={values.get(RESULTS) ?? '200'} />
              </ul>
            </TabPanel>
            <TabPanel header={text.ofReports}>
              <ul className={style.switches}>
                {REPORTS.map(({ naziv, unsaved, lines }) => (
                  <TextParameter key={naziv} naziv={naziv} {...text.reports[naziv]} value={values.get(naziv) ?? unsaved} lines={lines} />
                ))}
              </ul>
            </TabPanel>
            <TabPanel header={text.ofOthers}>
              <ul className={style.switches}>
                <Switch name="tudjiUnosiPreuzetogPacijenta" on={isOn('tudjiUnosiPreuzetogPacijenta', false)} />
                {OTHERS.map(({ naziv, unsaved }) => (
                  <TextParameter key={naziv} naziv={naziv} {...text.others[naziv]} value={values.get(naziv) ?? unsaved} />
                ))}
              </ul>
            </TabPanel>
            <TabPanel header={text.ofSignIn}>
              <ul className={style.switches}>
                {SIGN_IN.map(({ naziv, unsaved }) => (
                  <TextParameter key={naziv} naziv={naziv} {...text.signIn[naziv]} value={values.get(naziv) ?? unsaved} />
                ))}
              </ul>
            </TabPanel>
          </TabView>
        ) : error ? (
          <LoadFailed error={error} retry={() => void mutate()} />
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
