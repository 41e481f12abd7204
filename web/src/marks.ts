// Marks on stored values that today's configuration would give or read otherwise. The exports' worker reads this file: it may import
// nothing that needs a window.
import { t } from './messages';

const text = t.patients.stale;

/** Of the field whose value it is. */
export interface Mark {
  polje: number;
  razlog: string;
  jedinica?: string | null;
}

/** The same words as `domain/src/entry/stale.rs` prints. */
export function markText({ razlog, jedinica }: Omit<Mark, 'polje'>): string {
  if (razlog === 'jedinica') return text.unit(jedinica?.trim() ? jedinica.trim() : null);
  if (razlog === 'drugi_formular') return text.otherForm;
  return razlog === 'neprovereno' ? text.unchecked : text.formula;
}
