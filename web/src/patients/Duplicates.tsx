// Patients whom a registration resembles, each with a way to its page.
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { formatDate } from '../format';
import { label, t } from '../messages';
import style from './patients.module.css';
import type { Candidates } from './types';

const text = t.patients.form;

export function Duplicates({ candidates: { data, uDrugimUstanovama } }: { candidates: Candidates }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={style.duplicates} role="alert">
      <h3 ref={heading} tabIndex={-1}>
        {text.duplicates}
      </h3>
      <p>{text.duplicatesHelp}</p>
      <ul>
        {data.map(({ pacijentID, imePrezime, datumRodjenja, jmbg, lbo, razlog }) => (
          <li key={pacijentID}>
            <Link to={`/pacijenti/${pacijentID}`}>{imePrezime}</Link>
            <span>
              {label('patient.datumRodjenja')} {formatDate(datumRodjenja)} · {label('patient.jmbg')} {jmbg} · {label('patient.lbo')} {lbo}
            </span>
            <em>{text.reason[razlog]}</em>
          </li>
        ))}
      </ul>
      {uDrugimUstanovama > 0 && <p>{text.elsewhere(uDrugimUstanovama)}</p>}
    </div>
  );
}
