// What a draft would make of what is stored: counted page by page, each number with its list.
import { Message } from 'primereact/message';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { at } from '../../../api/address';
import { api, messageOf } from '../../../api/client';
import type { Reply } from '../../../schema';
import { t } from '../../../messages';
import { entryPath } from '../../../places';
import { wordingQuery, type Wording } from '../../../versions/Renames';
import style from './designer.module.css';

const text = t.formDesigner;
const words = t.recomputation;

type Recomputed = Reply<'DraftImpact'>['preracunavanje'];

export interface Impact extends Pick<
  Reply<'DraftImpact'>,
  'unosa' | 'rezultati' | 'preracunavanje' | 'vanGranica' | 'fajlovi' | 'jedinice' | 'citaoci'
> {
  pregledano: number;
  done: boolean;
}

const NONE: Recomputed = { rezultati: [], promenjeno: 0, prevedeno: 0, ostavljeno: [], potpisa: 0 };

const plus = (sum: Recomputed, page: Recomputed): Recomputed => ({
  rezultati: [...sum.rezultati, ...page.rezultati],
  promenjeno: sum.promenjeno + page.promenjeno,
  prevedeno: sum.prevedeno + page.prevedeno,
  ostavljeno: [...sum.ostavljeno, ...page.ostavljeno],
  potpisa: sum.potpisa + page.potpisa,
});

interface CountedImpact {
  impact: Impact | null;
  error: string | null;
}

interface Options {
  /** Whether the recomputation ends signatures. */
  zavrsiPotpise?: boolean;
  /** What has faults is not counted. */
  isOn?: boolean;
}

/** Asks for one page after the other until the dialog is closed; anew where something else is chosen. */
export function useImpact(form: number, wording: Wording, { zavrsiPotpise = false, isOn = true }: Options = {}): CountedImpact {
  const { drugeStavke, isteJedinice } = wordingQuery(wording);
  const asked = JSON.stringify([form, drugeStavke, isteJedinice, zavrsiPotpise]);
  const [counted, setCounted] = useState<CountedImpact & { of: string }>({ of: asked, impact: null, error: null });
  useEffect(() => {
    if (!isOn) return;
    const abort = new AbortController();
    const count = async () => {
      let sum = null as Impact | null;
      for (let from: number | null = null; !abort.signal.aborted;) {
        const page: Reply<'DraftImpact'> = await api.get(
          at('/api/forms/{id}/draft/impact', { id: form, drugeStavke, isteJedinice, zavrsiPotpise, od: from }),
          abort.signal,
        );
        sum = {
          unosa: page.unosa,
          pregledano: (sum?.pregledano ?? 0) + page.pregledano,
          rezultati: [...(sum?.rezultati ?? []), ...page.rezultati],
          preracunavanje: plus(sum?.preracunavanje ?? NONE, page.preracunavanje),
          vanGranica: [...(sum?.vanGranica ?? []), ...page.vanGranica],
          fajlovi: [...(sum?.fajlovi ?? []), ...page.fajlovi],
          jedinice: [...(sum?.jedinice ?? []), ...page.jedinice],
          citaoci: sum?.citaoci ?? page.citaoci,
          done: page.sledeci === null,
        };
        setCounted({ of: asked, impact: sum, error: null });
        if (page.sledeci === null) return;
        from = page.sledeci;
      }
    };
    count().catch((error: unknown) => {
      if (!abort.signal.aborted) setCounted({ of: asked, impact: null, error: messageOf(error) });
    });
    return () => abort.abort();
  }, [form, drugeStavke, isteJedinice, zavrsiPotpise, isOn, asked]);
  return counted.of === asked ? counted : { impact: null, error: null };
}

/** A long list goes on by so many. */
const SHOWN = 200;

interface Props {
  impact: Impact | null;
  error: string | null;
  /** Whether the worker may look at patients' entries at all; the server asks again for each. */
  mayOpen: boolean;
  form: number;
}

export function ImpactList({ form, impact, error, mayOpen }: Props) {
  if (error !== null) return <Message severity="error" text={error} />;
  if (!impact) return <p role="status">{text.counting}</p>;
  const { unosa, pregledano, rezultati, preracunavanje, vanGranica, fajlovi, jedinice, citaoci, done } = impact;
  return (
    <div className={style.impact}>
      <p role="status">{done ? text.entries(unosa) : text.countingOf(pregledano, unosa)}</p>
      {unosa > 0 && <AllEntries form={form} count={unosa} mayOpen={mayOpen} />}
      <Entries label={text.results(rezultati.length)} touched={rezultati} mayOpen={mayOpen} />
      <Entries label={text.outOfBounds(vanGranica.length)} touched={vanGranica} mayOpen={mayOpen} />
      {fajlovi.length > 0 && <Entries label={text.otherFiles(fajlovi.length)} touched={fajlovi} mayOpen={mayOpen} />}
      <Entries label={text.otherUnits(jedinice.length)} touched={jedinice} mayOpen={mayOpen} />
      <Promised of={preracunavanje} mayOpen={mayOpen} />
      <Readers label={text.readingFormulas(citaoci?.formule.length ?? 0)} readers={citaoci?.formule ?? []} />
      <Readers label={text.readingReports(citaoci?.izvestaji.length ?? 0)} readers={citaoci?.izvestaji ?? []} />
      <Readers label={text.readingQueries(citaoci?.upiti.length ?? 0)} readers={citaoci?.upiti ?? []} />
    </div>
  );
}

/** What a recomputation makes of the entries: the run does exactly that. */
function Promised({ of: { rezultati, promenjeno, prevedeno, ostavljeno }, mayOpen }: { of: Recomputed; mayOpen: boolean }) {
  const groups = new Map<string, Reply<'TouchedValue'>[]>();
  for (const { unos, razlog, polje } of ostavljeno) {
    const reason = words.reason(words.reasons[razlog], polje);
    groups.set(reason, [...(groups.get(reason) ?? []), { unos, polje: polje ?? '' }]);
  }
  return (
    <section aria-label={words.title}>
      <p>{words.promised(rezultati.length, promenjeno, prevedeno, ostavljeno.length)}</p>
      {rezultati.length > 0 && <Entries label={words.promisedResults(rezultati.length)} touched={rezultati} mayOpen={mayOpen} />}
      {[...groups].map(([reason, touched]) => (
        <Entries key={reason} label={words.promisedLeft(reason, touched.length)} touched={touched} mayOpen={mayOpen} />
      ))}
    </section>
  );
}

function Entry({ id, mayOpen, children }: { id: number; mayOpen: boolean; children?: ReactNode }) {
  return (
    <li>
      {mayOpen ? (
        <Link to={entryPath(id)} target="_blank">
          {text.entry(id)}
        </Link>
      ) : (
        text.entry(id)
      )}
      {children}
    </li>
  );
}

function More({ left, onMore }: { left: number; onMore: () => void }) {
  if (left <= 0) return null;
  return (
    <li>
      <button type="button" onClick={onMore}>
        {text.more(Math.min(SHOWN, left), left)}
      </button>
    </li>
  );
}

/** Read page by page, once somebody opens it. */
function AllEntries({ form, count, mayOpen }: { form: number; count: number; mayOpen: boolean }) {
  const [{ ids, next }, setListed] = useState<{ ids: readonly number[]; next: number | null }>({ ids: [], next: 0 });
  const [error, setError] = useState<string | null>(null);
  const read = async () => {
    try {
      const page = await api.get(at('/api/forms/{id}/draft/entries', { id: form, od: next }));
      setListed({ ids: [...ids, ...page.unosi], next: page.sledeci });
      setError(null);
    } catch (error) {
      setError(messageOf(error));
    }
  };
  return (
    <details onToggle={({ currentTarget }) => currentTarget.open && ids.length === 0 && void read()}>
      <summary>{text.allEntries}</summary>
      <ul>
        {ids.map((id) => (
          <Entry key={id} id={id} mayOpen={mayOpen} />
        ))}
        {error !== null && <li role="alert">{error}</li>}
        {(next !== 0 || error !== null) && next !== null && <More left={Math.max(count - ids.length, 1)} onMore={() => void read()} />}
        {next === null && ids.length < count && <li>{text.unopened(count - ids.length)}</li>}
      </ul>
    </details>
  );
}

function Entries({ label, touched, mayOpen }: { label: string; touched: readonly Reply<'TouchedValue'>[]; mayOpen: boolean }) {
  const [shown, setShown] = useState(SHOWN);
  const opened = touched.flatMap(({ unos, polje }) => (unos === null ? [] : [{ unos, polje }]));
  if (touched.length === 0) return <p className={style.none}>{label}</p>;
  return (
    <details>
      <summary>{label}</summary>
      <ul>
        {opened.slice(0, shown).map(({ unos, polje }) => (
          <Entry key={`${String(unos)} ${polje}`} id={unos} mayOpen={mayOpen}>
            {polje && `: ${polje}`}
          </Entry>
        ))}
        <More left={opened.length - shown} onMore={() => setShown(shown + SHOWN)} />
        {opened.length < touched.length && <li>{text.unopened(touched.length - opened.length)}</li>}
      </ul>
    </details>
  );
}

function Readers({ label, readers }: { label: string; readers: readonly Reply<'DraftReader'>[] }) {
  if (readers.length === 0) return <p className={style.none}>{label}</p>;
  return (
    <details>
      <summary>{label}</summary>
      <ul>
        {readers.map(({ naziv, cita }) => (
          <li key={naziv}>{text.reads(naziv, cita.join(', '))}</li>
        ))}
      </ul>
    </details>
  );
}
