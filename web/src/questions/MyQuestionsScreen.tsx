// Questions that wait for the worker, those that she asked, and all of the institution. The address holds what is chosen, so that a count elsewhere
// opens its list.
import { Button } from 'primereact/button';
import { Checkbox } from 'primereact/checkbox';
import { Dropdown } from 'primereact/dropdown';
import { SelectButton } from 'primereact/selectbutton';
import { useId } from 'react';
import { Link, useSearchParams } from 'react-router';
import { at } from '../api/address';
import { useApi } from '../api/hooks';
import { formatDate } from '../format';
import { t } from '../messages';
import { entryPath } from '../places';
import type { Reply, Schema } from '../schema';
import { GuideButton } from '../ui/GuideButton';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import style from './questions.module.css';

const text = t.questions;
const LISTS = ['cekaju', 'postavljeni', 'ustanova'] as const;
const STATES = Object.keys(text.states) as Schema<'QuestionState'>[];
const NOT_CLOSED = '';

const asNumber = (value: string | null): number | null => (value && /^\d+$/.test(value) ? Number(value) : null);

export default function MyQuestionsScreen() {
  const [address, setAddress] = useSearchParams();
  const { data: counts } = useApi('/api/question-counts');
  const id = useId();
  const list = LISTS.find((one) => one === address.get('spisak')) ?? 'cekaju';
  const state = STATES.find((one) => one === address.get('stanje')) ?? null;
  const late = address.get('kasni') === 'true';
  const [register, form, field, worker, patient, after] = ['registar', 'formular', 'polje', 'radnik', 'pacijent', 'posle'].map((name) =>
    asNumber(address.get(name)),
  );
  /** Another choice begins at its first page. */
  const choose = (chosen: Record<string, string | number | null>) => {
    const next = new URLSearchParams(address);
    next.delete('posle');
    for (const [name, value] of Object.entries(chosen)) {
      if (value === null || value === '') next.delete(name);
      else next.set(name, String(value));
    }
    setAddress(next);
  };
  const { data, error, mutate } = useApi(
    at('/api/questions', {
      spisak: list,
      stanje: state,
      kasni: late,
      registarID: register ?? null,
      tsaID: form ?? null,
      poljeID: field ?? null,
      radnikID: worker ?? null,
      pacijentID: patient ?? null,
      posleID: after ?? null,
    }),
    { keepPreviousData: true },
  );
  const views = LISTS.map((value) => ({ value, label: counts ? text.listWith(text.lists[value], counts[value]) : text.lists[value] }));
  return (
    <Page title={text.mine} lead={text.lead} actions={<GuideButton page="questions" />}>
      <Panel flush>
        <div className={style.filters}>
          <SelectButton
            value={list}
            options={views}
            allowEmpty={false}
            aria-label={text.mine}
            onChange={({ value }: { value: string }) => choose({ spisak: value })}
          />
          <div>
            <label htmlFor={`${id}-stanje`}>{text.state}</label>
            <Dropdown
              inputId={`${id}-stanje`}
              value={state ?? NOT_CLOSED}
              options={[{ value: NOT_CLOSED, label: text.notClosed }, ...STATES.map((value) => ({ value, label: text.states[value] }))]}
              onChange={({ value }: { value: string }) => choose({ stanje: value })}
            />
          </div>
          <div>
            <Checkbox inputId={`${id}-kasni`} checked={late} onChange={({ checked }) => choose({ kasni: checked ? 'true' : null })} />
            <label htmlFor={`${id}-kasni`}>{text.onlyLate}</label>
          </div>
        </div>
        {error && !data ? (
          <LoadFailed title={text.failed} error={error} retry={() => void mutate()} />
        ) : !data ? (
          <Loading lines={8} />
        ) : (
          <>
            {data.data.length === 0 ? <EmptyState icon="pi-check" title={text.empty} /> : <Table questions={data.data} />}
            <div className={style.pages}>
              {after != null && <Button label={text.first} outlined size="small" onClick={() => choose({})} />}
              {data.sledeciID != null && (
                <Button label={text.next} outlined size="small" onClick={() => choose({ posle: data.sledeciID ?? null })} />
              )}
            </div>
          </>
        )}
      </Panel>
    </Page>
  );
}

function Table({ questions }: { questions: readonly Reply<'ListedQuestion'>[] }) {
  return (
    // Scrolled by the keyboard where the window is narrow.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={style.table} tabIndex={0} role="region" aria-label={text.mine}>
      <table>
        <thead>
          <tr>
            <th scope="col">{text.question}</th>
            <th scope="col">{text.about}</th>
            <th scope="col">{text.state}</th>
            <th scope="col">{text.asked}</th>
            <th scope="col">{text.assignee}</th>
            <th scope="col">{text.due}</th>
          </tr>
        </thead>
        <tbody>
          {questions.map((question) => (
            <tr key={question.id}>
              <td>
                <Link to={entryPath(question.unosID)}>{question.pitanje}</Link>
              </td>
              <td>
                {question.imePrezime}
                <div className={style.small}>
                  {question.formular}, {formatDate(question.datumUnosa)}, {question.polje ?? text.whole}
                </div>
              </td>
              <td>
                <span className={style.state} data-state={question.stanje}>
                  {text.states[question.stanje]}
                </span>
              </td>
              <td>
                {question.postavio}
                <div className={style.small}>{text.origins[question.poreklo]}</div>
              </td>
              <td>{question.dodeljen}</td>
              <td>
                {question.rok ? formatDate(question.rok) : t.common.none}
                {question.kasni && <div className={style.late}>{text.late}</div>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
