// What a draft would make of what is stored: counted page by page, each number with its list.
import { Message } from 'primereact/message';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { api, messageOf } from '../../../api/client';
import type { Sent } from '../../../api/types';
import type { components } from '../../../gen/api';
import { t } from '../../../messages';
import { entryPath } from '../../../places';
import style from './designer.module.css';

const text = t.formDesigner;

type Page = Sent<components['schemas']['DraftImpact']>;
type Touched = Sent<components['schemas']['TouchedValue']>;
type Reader = Sent<components['schemas']['DraftReader']>;

export interface Impact extends Pick<Page, 'unosa' | 'rezultati' | 'vanGranica' | 'fajlovi' | 'jedinice' | 'citaoci'> {
  pregledano: number;
  done: boolean;
}

/** Asks for one page after the other until the dialog is closed. */
export function useImpact(path: string): { impact: Impact | null; error: string | null } {
  const [impact, setImpact] = useState<Impact | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    const count = async () => {
      let sum = null as Impact | null;
      for (let from: number | null = null; !abort.signal.aborted;) {
        const page: Page = await api.get<Page>(from === null ? path : `${path}?od=${String(from)}`, abort.signal);
        sum = {
          unosa: page.unosa,
          pregledano: (sum?.pregledano ?? 0) + page.pregledano,
          rezultati: [...(sum?.rezultati ?? []), ...page.rezultati],
          vanGranica: [...(sum?.vanGranica ?? []), ...page.vanGranica],
          fajlovi: [...(sum?.fajlovi ?? []), ...page.fajlovi],
          jedinice: [...(sum?.jedinice ?? []), ...page.jedinice],
          citaoci: sum?.citaoci ?? page.citaoci,
          done: page.sledeci === null,
        };
        setImpact(sum);
        if (page.sledeci === null) return;
        from = page.sledeci;
      }
    };
    count().catch((error: unknown) => {
      if (!abort.signal.aborted) setError(messageOf(error));
    });
    return () => abort.abort();
  }, [path]);
  return { impact, error };
}

/** Of a long list the rest is only counted. */
const SHOWN = 200;

/** `mayOpen`: whether the worker may look at patients' entries at all; the server asks again for each. */
export function ImpactList({ impact, error, mayOpen }: { impact: Impact | null; error: string | null; mayOpen: boolean }) {
  if (error !== null) return <Message severity="error" text={error} />;
  if (!impact) return <p role="status">{text.counting}</p>;
  const { unosa, pregledano, rezultati, vanGranica, fajlovi, jedinice, citaoci, done } = impact;
  return (
    <div className={style.impact}>
      <p role="status">{done ? text.entries(unosa) : text.countingOf(pregledano, unosa)}</p>
      <Entries label={text.results(rezultati.length)} touched={rezultati} mayOpen={mayOpen} />
      <Entries label={text.outOfBounds(vanGranica.length)} touched={vanGranica} mayOpen={mayOpen} />
      {fajlovi.length > 0 && <Entries label={text.otherFiles(fajlovi.length)} touched={fajlovi} mayOpen={mayOpen} />}
      <Entries label={text.otherUnits(jedinice.length)} touched={jedinice} mayOpen={mayOpen} />
      <Readers label={text.readingFormulas(citaoci?.formule.length ?? 0)} readers={citaoci?.formule ?? []} />
      <Readers label={text.readingReports(citaoci?.izvestaji.length ?? 0)} readers={citaoci?.izvestaji ?? []} />
      <Readers label={text.readingQueries(citaoci?.upiti.length ?? 0)} readers={citaoci?.upiti ?? []} />
    </div>
  );
}

function Entries({ label, touched, mayOpen }: { label: string; touched: readonly Touched[]; mayOpen: boolean }) {
  if (touched.length === 0) return <p className={style.none}>{label}</p>;
  return (
    <details>
      <summary>{label}</summary>
      <ul>
        {touched.slice(0, SHOWN).map(({ unos, polje }) => (
          <li key={`${String(unos)} ${polje}`}>
            {mayOpen ? (
              <Link to={entryPath(unos)} target="_blank">
                {text.entry(unos)}
              </Link>
            ) : (
              text.entry(unos)
            )}
            {`: ${polje}`}
          </li>
        ))}
        {touched.length > SHOWN && <li>{text.andMore(touched.length - SHOWN)}</li>}
      </ul>
    </details>
  );
}

function Readers({ label, readers }: { label: string; readers: readonly Reader[] }) {
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
