// What a report may be written with; what is pressed goes into the text that is being written.
import { Button } from 'primereact/button';
import { InputText } from 'primereact/inputtext';
import { useState } from 'react';
import type { Reply } from '../../schema';
import { fold } from '../../fold';
import { t } from '../../messages';
import type { Part } from './types';
import style from './designer.module.css';

const text = t.reportDesigner;

interface Props {
  guide: Reply<'ReportGuide'>;
  design: Reply<'ReportDesign'>;
  insert: (part: Part, what: string) => void;
  copy: (start: Reply<'ReportGuide'>['pocetni'][number]) => void;
}

export function GuidePanel({ guide, design, insert, copy }: Props) {
  const [typed, setTyped] = useState('');
  const sought = fold(typed.trim());
  const fits = (...words: string[]) => !sought || words.some((word) => fold(word).includes(sought));
  const word = (part: Part, tekst: string, opis: string, shown = tekst) => (
    <li key={tekst}>
      <button type="button" onClick={() => insert(part, tekst)}>
        <code>{shown}</code>
        <span>{opis}</span>
      </button>
    </li>
  );
  return (
    <div className={style.stack}>
      <section aria-label={text.starts}>
        <h2>{text.starts}</h2>
        <ul className={style.starts}>
          {guide.pocetni.map((start) => (
            <li key={start.naziv}>
              <div>
                <strong>{start.naziv}</strong>
                <span className={style.help}>{start.opis}</span>
              </div>
              <Button label={text.copy} aria-label={text.copyOf(start.naziv)} text size="small" onClick={() => copy(start)} />
            </li>
          ))}
        </ul>
      </section>
      <InputText value={typed} onChange={({ target }) => setTyped(target.value)} placeholder={text.search} aria-label={text.search} />
      <details open>
        <summary>{text.binds}</summary>
        <ul className={style.words}>
          {design.parametri.map(({ requestNaziv, naziv }) => word('upit', `:${requestNaziv}`, naziv))}
          {text.sessionBinds.map(({ name, what }) => word('upit', name, what))}
        </ul>
      </details>
      <h2>{text.views}</h2>
      {guide.pogledi
        .filter(({ naziv, opis, kolone }) => fits(naziv, opis, ...kolone.flatMap((column) => [column.naziv, column.opis])))
        .map(({ naziv, opis, kolone }) => (
          <details key={naziv} open={sought !== ''}>
            <summary>
              <code>{naziv}</code> <span className={style.help}>{opis}</span>
            </summary>
            <ul className={style.words}>
              {word('upit', naziv, text.wholeView)}
              {kolone.map((column) => word('upit', column.naziv, `${column.tip}. ${column.opis}`))}
            </ul>
          </details>
        ))}
      <details>
        <summary>{text.functions}</summary>
        <ul className={style.words}>
          {guide.funkcije.filter(({ tekst, opis }) => fits(tekst, opis)).map(({ tekst, opis }) => word('upit', tekst, opis))}
        </ul>
      </details>
      <details>
        <summary>{text.types}</summary>
        <ul className={style.words}>{guide.tipovi.map(({ tekst, opis }) => word('upit', `::${tekst}`, opis, tekst))}</ul>
      </details>
      <details>
        <summary>{text.templateWords}</summary>
        <ul className={style.words}>
          {guide.naredbe.filter(({ tekst, opis }) => fits(tekst, opis)).map(({ tekst, opis }) => word('sablon', tekst, opis))}
        </ul>
      </details>
    </div>
  );
}
