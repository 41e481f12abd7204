// Who is awaited in one's institution: those who are late, those whose window is open, those of a day; by register and doctor, or on a
// calendar. The address holds what is chosen, so that a count elsewhere opens its list.
import { Button } from 'primereact/button';
import { Dropdown } from 'primereact/dropdown';
import { SelectButton } from 'primereact/selectbutton';
import { lazy, Suspense, useId } from 'react';
import { Link, useSearchParams } from 'react-router';
import { at } from '../api/address';
import { useApi, useList } from '../api/hooks';
import { formatDate } from '../format';
import { t } from '../messages';
import { rememberRegister } from '../places';
import type { Reply } from '../schema';
import { GuideButton } from '../ui/GuideButton';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import style from './plans.module.css';

const text = t.plans.awaited;
const VisitCalendar = lazy(() => import('./VisitCalendar'));

const LISTS = ['kasni', 'otvorene', 'danas'] as const;
type List = (typeof LISTS)[number];
const CALENDAR = 'kalendar';
const VIEWS = [...LISTS.map((value) => ({ value: value, label: text.lists[value] })), { value: CALENDAR, label: text.calendar }];

const asList = (view: string): List => LISTS.find((list) => list === view) ?? 'kasni';
const asNumber = (value: string | null): number | null => (value && /^\d+$/.test(value) ? Number(value) : null);
const asDay = (value: string | null): string | null => (value && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : null);

export default function AwaitedScreen() {
  const [address, setAddress] = useSearchParams();
  const view = address.get('spisak') ?? 'kasni';
  const [register, doctor, day] = [asNumber(address.get('registar')), asNumber(address.get('lekar')), asDay(address.get('dan'))];
  /** Another choice begins at its first page. */
  const choose = (chosen: Record<string, string | number | null>) => {
    const next = new URLSearchParams(address);
    next.delete('posleDan');
    next.delete('posleID');
    for (const [name, value] of Object.entries(chosen)) {
      if (value === null) next.delete(name);
      else next.set(name, String(value));
    }
    setAddress(next);
  };
  return (
    <Page
      title={text.title}
      lead={text.lead}
      breadcrumb={[{ label: t.plans.day.title, to: '/mojDan' }, { label: text.title }]}
      actions={<GuideButton page="myDay" />}
    >
      <Panel flush>
        <div className={style.filters}>
          <SelectButton
            value={view}
            options={VIEWS}
            allowEmpty={false}
            aria-label={text.title}
            onChange={({ value }: { value: string }) => choose({ spisak: value, dan: null })}
          />
          <Filters register={register} doctor={doctor} choose={choose} />
        </div>
        {view === CALENDAR ? (
          <Suspense fallback={<Loading lines={8} />}>
            <VisitCalendar register={register} doctor={doctor} open={(dan) => choose({ spisak: 'danas', dan })} />
          </Suspense>
        ) : (
          <Rows
            list={asList(view)}
            register={register}
            doctor={doctor}
            day={day}
            after={{ dan: asDay(address.get('posleDan')), id: asNumber(address.get('posleID')) }}
            go={choose}
          />
        )}
      </Panel>
    </Page>
  );
}

interface FiltersProps {
  register: number | null;
  doctor: number | null;
  choose: (chosen: Record<string, number | null>) => void;
}

function Filters({ register, doctor, choose }: FiltersProps) {
  const { data: registers } = useList('/api/registers');
  const { data: doctors } = useApi('/api/planned-visit-doctors');
  const id = useId();
  const NONE = 0;
  return (
    <>
      <div>
        <label htmlFor={`${id}-registar`}>{text.register}</label>
        <Dropdown
          inputId={`${id}-registar`}
          value={register ?? NONE}
          options={[
            { value: NONE, label: text.allRegisters },
            ...(registers?.data ?? []).map(({ id, naziv }) => ({ value: id, label: naziv })),
          ]}
          onChange={({ value }: { value: number }) => choose({ registar: value || null })}
        />
      </div>
      <div>
        <label htmlFor={`${id}-lekar`}>{text.doctor}</label>
        <Dropdown
          inputId={`${id}-lekar`}
          value={doctor ?? NONE}
          filter
          options={[
            { value: NONE, label: text.allDoctors },
            ...(doctors?.data ?? []).map(({ id, imePrezime }) => ({ value: id, label: imePrezime })),
          ]}
          onChange={({ value }: { value: number }) => choose({ lekar: value || null })}
        />
      </div>
    </>
  );
}

interface RowsProps {
  list: List;
  register: number | null;
  doctor: number | null;
  day: string | null;
  after: { dan: string | null; id: number | null };
  go: (chosen: Record<string, string | number | null>) => void;
}

function Rows({ list, register, doctor, day, after, go }: RowsProps) {
  const { data, error, mutate } = useApi(
    at('/api/planned-visits', { vrsta: list, registarID: register, radnikID: doctor, dan: day, posleDan: after.dan, posleID: after.id }),
    { keepPreviousData: true },
  );
  if (error && !data) return <LoadFailed title={text.failed} error={error} retry={() => void mutate()} />;
  if (!data) return <Loading lines={8} />;
  const { sledece } = data;
  return (
    <>
      {day && (
        <p className={style.pages}>
          <strong>{text.onDay(formatDate(day))}</strong>
          <Button label={text.back} text size="small" onClick={() => go({ spisak: CALENDAR, dan: null })} />
        </p>
      )}
      {data.data.length === 0 ? <EmptyState icon="pi-check" title={text.empty} /> : <Table list={list} visits={data.data} />}
      <div className={style.pages}>
        <span role="status">{text.visits(data.ukupno) + (data.viseOdToga ? '+' : '')}</span>
        <span className={style.actions}>
          {after.id !== null && <Button label={text.previous} outlined size="small" onClick={() => go({})} />}
          {sledece && <Button label={text.next} outlined size="small" onClick={() => go({ posleDan: sledece.dan, posleID: sledece.id })} />}
        </span>
      </div>
    </>
  );
}

function Table({ list, visits }: { list: List; visits: readonly Reply<'AwaitedVisit'>[] }) {
  return (
    // Scrolled by the keyboard where the window is narrow.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={style.table} tabIndex={0} role="region" aria-label={text.lists[list]}>
      <table>
        <thead>
          <tr>
            <th scope="col">{text.patient}</th>
            <th scope="col">{text.visit}</th>
            <th scope="col">{text.target}</th>
            <th scope="col">{text.until}</th>
            <th scope="col">{text.doctor}</th>
            <th scope="col">{text.phone}</th>
          </tr>
        </thead>
        <tbody>
          {visits.map((visit) => (
            <tr key={visit.id}>
              <td>
                {/* The page then shows the register of the visit. */}
                <Link to={`/pacijenti/${visit.pacijentID}`} onClick={() => rememberRegister(visit.registarID)}>
                  {visit.imePrezime}
                </Link>{' '}
                <span className={style.small}>{formatDate(visit.datumRodjenja)}</span>
              </td>
              <td>
                {visit.poseta} <span className={style.small}>{visit.registar}</span>
              </td>
              <td>{formatDate(visit.cilj)}</td>
              <td>
                {formatDate(visit.prozorDo)}
                {visit.kasniDana > 0 && <div className={style.small}>{text.late(visit.kasniDana)}</div>}
              </td>
              <td>{visit.lekar ?? t.common.none}</td>
              <td>{visit.smeKontakt ? visit.telefon : <span className={style.small}>{text.noContact}</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
