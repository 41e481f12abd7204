// Patients whom a registration resembles, each with a way to its page.
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { Schema } from '../schema';
import { formatDate } from '../format';
import { label, t } from '../messages';
import style from './patients.module.css';

const text = t.patients.form;

/** One JMBG is one patient: a registration with it would be refused. */
export const isTaken = ({ data, uDrugimUstanovama }: Schema<'Candidates'>): boolean =>
  uDrugimUstanovama > 0 || data.some(({ razlog }) => razlog === 'jmbg');

export function Duplicates({ candidates }: { candidates: Schema<'Candidates'> }) {
  const { data, uDrugimUstanovama } = candidates;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={style.duplicates} role="alert">
      <h3 ref={heading} tabIndex={-1}>
        {isTaken(candidates) ? text.taken : text.duplicates}
      </h3>
      {uDrugimUstanovama > 0 && <p>{text.elsewhere}</p>}
      {data.length > 0 && (
        <>
          <p>{text.duplicatesHelp}</p>
          <ul>
            {data.map(({ pacijentID, imePrezime, datumRodjenja, jmbg, lbo, razlog }) => (
              <li key={pacijentID}>
                {/* In a window of its own: what is typed here stays. */}
                <Link to={`/pacijenti/${pacijentID}`} target="_blank">
                  {imePrezime} <span className="pi pi-external-link" role="img" aria-label={text.newWindow} />
                </Link>
                <span>
                  {label('patient.datumRodjenja')} {formatDate(datumRodjenja)} · {label('patient.jmbg')} {jmbg} · {label('patient.lbo')}{' '}
                  {lbo}
                </span>
                <em>{text.reason[razlog]}</em>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
