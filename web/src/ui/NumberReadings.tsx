// A typed number that may be two: both are told, and one click, or an arrow in the box, chooses.
import { t } from '../messages';
import style from './Field.module.css';
import { choices, type Readings } from './typedNumber';

interface Props {
  both: Readings;
  onChoose: (number: number) => void;
}

export function NumberReadings({ both, onChoose }: Props) {
  const [grouped, decimal] = choices(both);
  const question = t.common.twoReadings(both.typed);
  return (
    <span className={style.readings} role="group" aria-label={question}>
      <span className="sr-only" role="status">
        {t.common.readingKeys(both.typed, grouped, decimal)}
      </span>
      <button type="button" aria-keyshortcuts="ArrowUp" onClick={() => onChoose(both.grouped)}>
        {grouped} <kbd aria-hidden>↑</kbd>
      </button>
      <span aria-hidden>{t.common.or}</span>
      <button type="button" aria-keyshortcuts="ArrowDown" onClick={() => onChoose(both.decimal)}>
        {decimal} <kbd aria-hidden>↓</kbd>
      </button>
      <span aria-hidden>?</span>
    </span>
  );
}
