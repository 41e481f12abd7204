// The entry that a number of a report counted, where the search was opened by that number: said as a whole, and taken away as a whole.
import { Button } from 'primereact/button';
import { ended } from '../format';
import { t } from '../messages';
import type { SearchCriteria } from './criteria';
import style from './search.module.css';
import { frameSentence } from './sentences';
import type { SearchSetup } from './types';

const text = t.patients.search;

interface Props {
  setup: SearchSetup;
  frame: SearchCriteria['unosUslova'];
  problem: string | null;
  drop: () => void;
}

export function CountedEntry({ setup, frame, problem, drop }: Props) {
  if (!frame) return null;
  const said = frameSentence(setup, frame);
  return (
    <div className={style.counted} role="group" aria-label={text.frame}>
      <p>
        <strong>{text.frame}:</strong> {ended(said)} <span className={style.help}>{text.frameHelp}</span>
      </p>
      <Button type="button" text size="small" icon="pi pi-times" label={text.dropFrame} onClick={drop} />
      {problem && <p role="alert">{problem}</p>}
    </div>
  );
}
