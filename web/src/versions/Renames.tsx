// Items and units that are written otherwise: whoever publishes says which of them are only spelt otherwise.
import { RadioButton } from 'primereact/radiobutton';
import { useId } from 'react';
import { EMPTY } from '../format';
import type { Schema } from '../schema';
import { t } from '../messages';
import style from './differences.module.css';

const text = t.versions;

/** What whoever publishes says of both. */
export type Wording = Required<Schema<'Wording'>>;

/** An item stays the same one and a unit becomes another, until somebody says otherwise. */
export const UNSAID: Wording = { drugeStavke: [], isteJedinice: [] };

const isSame = ({ vrsta, id }: Schema<'Rename'>, { drugeStavke, isteJedinice }: Wording) =>
  vrsta === 'stavka' ? !drugeStavke.includes(id) : isteJedinice.includes(id);

function say({ vrsta, id }: Schema<'Rename'>, same: boolean, said: Wording): Wording {
  const list = (ids: readonly number[], named: boolean) => [...ids.filter((one) => one !== id), ...(named ? [id] : [])];
  return vrsta === 'stavka'
    ? { ...said, drugeStavke: list(said.drugeStavke, !same) }
    : { ...said, isteJedinice: list(said.isteJedinice, same) };
}

/** As a part of an address; empty where nothing was said. */
export const wordingQuery = ({ drugeStavke, isteJedinice }: Wording) => ({
  drugeStavke: drugeStavke.join(','),
  isteJedinice: isteJedinice.join(','),
});

interface Props {
  renames: readonly Schema<'Rename'>[];
  said: Wording;
  onSay: (said: Wording) => void;
}

export function Renames({ renames, said, onSay }: Props) {
  if (renames.length === 0) return null;
  return (
    <section className={style.group} aria-label={text.wording}>
      <h2>{text.wording}</h2>
      <p className={style.help}>{text.wordingHelp}</p>
      {renames.map((rename) => (
        <Choice key={`${rename.vrsta} ${String(rename.id)}`} rename={rename} said={said} onSay={onSay} />
      ))}
    </section>
  );
}

function Choice({ rename, said, onSay }: { rename: Schema<'Rename'> } & Omit<Props, 'renames'>) {
  const id = useId();
  const { vrsta, polja, staro, novo } = rename;
  return (
    <fieldset className={style.rename}>
      <legend>{text.rename(text.renamedThings[vrsta], staro ?? EMPTY, novo ?? EMPTY, polja.join(', '))}</legend>
      {[true, false].map((same) => (
        <div key={String(same)}>
          <RadioButton
            inputId={`${id}-${String(same)}`}
            name={id}
            value={same}
            checked={isSame(rename, said) === same}
            onChange={() => onSay(say(rename, same, said))}
          />
          <label htmlFor={`${id}-${String(same)}`}>{same ? text.onlySpelling : text.otherMeaning}</label>
        </div>
      ))}
    </fieldset>
  );
}
