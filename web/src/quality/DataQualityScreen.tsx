// The institution's data as a whole: completeness, timeliness, findings and questions by form, field, doctor, month and rule. Each number
// opens its list, a share that of the entries which it lacks.
import { Dropdown } from 'primereact/dropdown';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { at } from '../api/address';
import { useApi, useList } from '../api/hooks';
import { useWorker } from '../api/session';
import { mayOpen, Right } from '../auth/rights';
import { EMPTY, formatNumber } from '../format';
import { t } from '../messages';
import { rememberedRegister } from '../places';
import type { Reply } from '../schema';
import { DateInput } from '../ui/DateInput';
import { Field } from '../ui/Field';
import { GuideButton } from '../ui/GuideButton';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { percent, RunChart } from './RunChart';
import style from './quality.module.css';

const text = t.quality;

type Figures = Reply<'QualityFigures'>;
type EntryFigures = Figures['ukupno'];

const asNumber = (value: string | null): number | null => (value && /^\d+$/.test(value) ? Number(value) : null);

const shareOf = (part: number, all: number): string => (all === 0 ? EMPTY : percent(part / all));

const monthOf = (day: string | null | undefined): string => (day ? `${day.slice(5, 7)}.${day.slice(0, 4)}.` : EMPTY);

/** The last day of the month that begins on this day. */
const endOf = (first: string): string => {
  const [year = 0, month = 1] = first.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
};

export default function DataQualityScreen() {
  const [address, setAddress] = useSearchParams();
  const { data: registers } = useList('/api/registers');
  const { prava } = useWorker();
  const known = registers?.data ?? [];
  const wanted = asNumber(address.get('registar')) ?? rememberedRegister();
  const register = known.find(({ id }) => id === wanted)?.id ?? known[0]?.id ?? null;
  const [from, to] = [address.get('od'), address.get('do')];
  const choose = (name: string, value: string | number | null) => {
    const next = new URLSearchParams(address);
    if (value === null) next.delete(name);
    else next.set(name, String(value));
    setAddress(next);
  };
  const { data, error, mutate } = useApi(register === null ? null : at('/api/data-quality', { registarID: register, od: from, do: to }), {
    keepPreviousData: true,
  });
  const of = { registar: register, od: from, do: to };
  return (
    <Page
      title={text.title}
      lead={text.lead}
      actions={
        <>
          <GuideButton page="quality" />
          {mayOpen(prava, [Right.QualityRules]) && (
            <Link to={`/admin/pravilaKvaliteta${register === null ? '' : `?registar=${String(register)}`}`}>{text.rulesLink}</Link>
          )}
        </>
      }
    >
      <Panel flush>
        <div className={style.filters}>
          <Field label={text.register}>
            {({ id, ...control }) => (
              <Dropdown
                {...control}
                inputId={id}
                value={register}
                options={known.map(({ id, naziv }) => ({ value: id, label: naziv }))}
                onChange={({ value }: { value: number }) => choose('registar', value)}
              />
            )}
          </Field>
          <Field label={text.from}>{(control) => <DateInput {...control} value={from} onChange={(value) => choose('od', value)} />}</Field>
          <Field label={text.to}>{(control) => <DateInput {...control} value={to} onChange={(value) => choose('do', value)} />}</Field>
        </div>
      </Panel>
      {error && !data ? (
        <LoadFailed title={text.figuresFailed} error={error} retry={() => void mutate()} />
      ) : register === null ? (
        <EmptyState title={text.choose} />
      ) : !data ? (
        <Loading lines={10} />
      ) : data.ukupno.unosa === 0 ? (
        <EmptyState title={text.noEntries} />
      ) : (
        <Shown figures={data} of={of} />
      )}
      {/* Below what is there: what loads above would push it down. */}
      {register !== null && (Boolean(data) || Boolean(error)) && mayOpen(prava, [Right.QualityRules]) && (
        <OfInstitutions register={register} from={from} to={to} />
      )}
    </Page>
  );
}

/** Rows of other institutions: without lists behind them, and without numbers of few patients. */
function OfInstitutions({ register, from, to }: { register: number; from: string | null; to: string | null }) {
  const { data, error, mutate } = useApi(at('/api/data-quality/institutions', { registarID: register, od: from, do: to }), {
    keepPreviousData: true,
  });
  const told = (count: number | null | undefined) => (count == null ? text.few : formatNumber(count));
  return (
    <Panel title={text.byInstitution} flush>
      {error && !data ? (
        <LoadFailed title={text.figuresFailed} error={error} retry={() => void mutate()} />
      ) : !data ? (
        <Loading lines={4} />
      ) : (
        <>
          <p className={style.note}>{text.institutionsHelp(data.najmanje)}</p>
          {data.data.length > 0 && (
            <Table name={text.byInstitution} heads={[text.institution, text.entries, text.complete, text.open, text.asked]}>
              {data.data.map(({ id, naziv, unosa, potpunih, nalaza, upita }) => (
                <tr key={id}>
                  <td>{naziv}</td>
                  <td className={style.number}>{formatNumber(unosa)}</td>
                  <td className={style.number}>{potpunih == null ? text.few : shareOf(potpunih, unosa)}</td>
                  <td className={style.number}>{told(nalaza)}</td>
                  <td className={style.number}>{told(upita)}</td>
                </tr>
              ))}
            </Table>
          )}
        </>
      )}
    </Panel>
  );
}

type Narrow = Record<string, string | number | null | undefined>;

const addressOf = (path: string, of: Narrow): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(of)) if (value != null) query.set(name, String(value));
  return `${path}?${query.toString()}`;
};

const Findings = ({ count, of }: { count: number; of: Narrow }) =>
  count === 0 ? '0' : <Link to={addressOf('/nalazi', of)}>{formatNumber(count)}</Link>;

const LIST = '/kvalitetPodataka/unosi';

const Entries = ({ count, of }: { count: number; of: Narrow }) =>
  count === 0 ? '0' : <Link to={addressOf(LIST, of)}>{formatNumber(count)}</Link>;

/** A share of entries leads to those that it lacks. */
const Share = ({ part, all, lacking }: { part: number; all: number; lacking: Narrow }) =>
  part < all ? <Link to={addressOf(LIST, lacking)}>{shareOf(part, all)}</Link> : shareOf(part, all);

/** The list of questions knows no days of entries: where a period is chosen, its number is only told. */
const Questions = ({ count, of: { od, do: until, ...of } }: { count: number; of: Narrow }) =>
  count === 0 || od || until ? (
    formatNumber(count)
  ) : (
    <Link to={addressOf('/mojiUpiti', { spisak: 'ustanova', ...of })}>{formatNumber(count)}</Link>
  );

function Shown({ figures, of }: { figures: Figures; of: Narrow }) {
  const { ukupno, poFormularu, poLekaru, poMesecu, poPolju, poPravilu } = figures;
  return (
    <>
      <Panel>
        <ul className={style.counts}>
          <Count name={text.entries}>
            <Entries count={ukupno.unosa} of={of} />
          </Count>
          <Count name={text.complete} help={text.completeHelp}>
            <Share part={ukupno.potpunih} all={ukupno.unosa} lacking={{ ...of, potpun: 'ne' }} />
          </Count>
          <Count name={text.median} help={text.medianHelp}>
            {ukupno.medijanaDana == null ? EMPTY : formatNumber(ukupno.medijanaDana)}
          </Count>
          <Count name={text.inTime}>
            <Share part={ukupno.uSedamDana} all={ukupno.unosa} lacking={{ ...of, uRoku: 'ne' }} />
          </Count>
          <Count name={text.open}>
            <Findings count={ukupno.nalaza} of={of} />
          </Count>
          <Count name={text.asked}>
            <Questions count={ukupno.upita} of={of} />
          </Count>
        </ul>
      </Panel>
      {poPravilu.length > 0 && (
        <Panel title={text.byRule} flush>
          <Table name={text.byRule} heads={[text.rule, text.open, text.right]}>
            {poPravilu.map(({ id, naziv, nalaza, potvrdjenih }) => (
              <tr key={id}>
                <td>{naziv}</td>
                <td className={style.number}>
                  <Findings count={nalaza} of={{ ...of, pravilo: id }} />
                </td>
                <td className={style.number}>
                  <Findings count={potvrdjenih} of={{ ...of, pravilo: id, stanje: 'potvrdjeni' }} />
                </td>
              </tr>
            ))}
          </Table>
        </Panel>
      )}
      <Panel title={text.byMonth} flush>
        <div className={style.filters}>
          <RunChart months={poMesecu.map(({ mesec, potpunih, unosa }) => ({ label: monthOf(mesec), share: potpunih / unosa }))} />
        </div>
        <EntryTable
          name={text.byMonth}
          first={text.month}
          rows={poMesecu}
          nameOf={({ mesec }) => monthOf(mesec)}
          of={({ mesec }) => (mesec ? { ...of, od: mesec, do: endOf(mesec) } : of)}
        />
      </Panel>
      <Panel title={text.byForm} flush>
        <EntryTable
          name={text.byForm}
          first={text.form}
          rows={poFormularu}
          nameOf={({ naziv }) => naziv ?? EMPTY}
          of={({ id }) => ({ ...of, formular: id })}
        />
      </Panel>
      <Panel title={text.byDoctor} flush>
        <EntryTable
          name={text.byDoctor}
          first={text.doctor}
          rows={poLekaru}
          nameOf={({ naziv }) => naziv ?? EMPTY}
          of={({ id }) => ({ ...of, radnik: id })}
          // A question's worker is to whom it is given.
          plainQuestions
        />
      </Panel>
      {poPolju.length > 0 && (
        <Panel title={text.byField} flush>
          <Table name={text.byField} heads={[text.field, text.filled, text.open, text.asked]}>
            {poPolju.map(({ id, naziv, tsaID, formular, unosa, popunjeno, nalaza, upita }) => (
              <tr key={id}>
                <td>
                  {naziv}
                  <div className={style.small}>{formular}</div>
                </td>
                <td className={style.number}>
                  <Share part={popunjeno} all={unosa} lacking={{ ...of, formular: tsaID, prazno: id }} />
                </td>
                <td className={style.number}>
                  <Findings count={nalaza} of={{ ...of, formular: tsaID, polje: id }} />
                </td>
                <td className={style.number}>
                  <Questions count={upita} of={{ ...of, formular: tsaID, polje: id }} />
                </td>
              </tr>
            ))}
          </Table>
        </Panel>
      )}
    </>
  );
}

function Count({ name, help, children }: { name: string; help?: string; children: ReactNode }) {
  return (
    <li title={help}>
      <strong>{children}</strong>
      <span>{name}</span>
    </li>
  );
}

interface EntryTableProps {
  name: string;
  first: string;
  rows: readonly EntryFigures[];
  nameOf: (row: EntryFigures) => string;
  of: (row: EntryFigures) => Narrow;
  plainQuestions?: boolean;
}

function EntryTable({ name, first, rows, nameOf, of, plainQuestions }: EntryTableProps) {
  return (
    <Table name={name} heads={[first, text.entries, text.complete, text.median, text.inTime, text.open, text.asked]}>
      {rows.map((row) => (
        <tr key={row.id ?? row.mesec}>
          <td>{nameOf(row)}</td>
          <td className={style.number}>
            <Entries count={row.unosa} of={of(row)} />
          </td>
          <td className={style.number}>
            <Share part={row.potpunih} all={row.unosa} lacking={{ ...of(row), potpun: 'ne' }} />
          </td>
          <td className={style.number}>{row.medijanaDana == null ? EMPTY : formatNumber(row.medijanaDana)}</td>
          <td className={style.number}>
            <Share part={row.uSedamDana} all={row.unosa} lacking={{ ...of(row), uRoku: 'ne' }} />
          </td>
          <td className={style.number}>
            <Findings count={row.nalaza} of={of(row)} />
          </td>
          <td className={style.number}>{plainQuestions ? formatNumber(row.upita) : <Questions count={row.upita} of={of(row)} />}</td>
        </tr>
      ))}
    </Table>
  );
}

function Table({ name, heads, children }: { name: string; heads: readonly string[]; children: ReactNode }) {
  return (
    // Scrolled by the keyboard where the window is narrow.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={style.table} tabIndex={0} role="group" aria-label={name}>
      <table>
        <thead>
          <tr>
            {heads.map((head, place) => (
              <th key={head} scope="col" className={place > 0 ? style.number : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
