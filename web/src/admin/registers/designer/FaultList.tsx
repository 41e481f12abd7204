// All faults of a draft, by field and property; each leads to where it is.
import type { Reply } from '../../../schema';
import { t } from '../../../messages';
import style from './designer.module.css';
import { propertyName } from './names';

const text = t.formDesigner;

interface Props {
  faults: readonly Reply<'DraftFault'>[];
  onOpen: (fault: Reply<'DraftFault'>) => void;
  /** Where they are the reason of what is told, they are read at once. */
  isOpen?: boolean;
}

export function FaultList({ faults, onOpen, isOpen = false }: Props) {
  if (faults.length === 0) return null;
  return (
    <details className={style.faults} open={isOpen}>
      <summary>
        <span className="pi pi-exclamation-circle" aria-hidden /> {text.faults(faults.length)}
      </summary>
      <ul>
        {faults.map((fault) => {
          const { gde, id, naziv, svojstvo, mesto, poruka } = fault;
          const property = propertyName(gde, svojstvo);
          return (
            <li key={`${gde} ${String(id)} ${svojstvo} ${poruka}`}>
              <button type="button" onClick={() => onOpen(fault)}>
                <strong>{[naziv || text.unnamed, property].filter(Boolean).join(', ')}</strong>
                {`: ${mesto === null ? poruka : text.atPlace(mesto, poruka)}`}
              </button>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
