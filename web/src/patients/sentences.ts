// A search in words: what each criterion asks, of which entries, and what was searched as a whole.
import { ended, formatDate, formatDateTime } from '../format';
import { ValueType } from '../forms/valueType';
import { t } from '../messages';
import { boxesOf, type CriterionRow, type EntryScope, type Operator, type SearchRequest } from './criteria';
import type { SearchField, SearchSetup } from './types';

const text = t.patients.search;
const { sentence } = text;

/** Letters of a typed text that a sentence repeats. */
const MOST_LETTERS = 60;
const quoted = (value: string) => sentence.quoted(value.length > MOST_LETTERS ? `${value.slice(0, MOST_LETTERS)}…` : value);

type Asked = Pick<CriterionRow, 'veza' | 'poljeID' | 'operator' | 'vrednost'>;

function valueOf({ tipVrednosti, stavke, jedinica }: SearchField, value: string): string {
  switch (tipVrednosti) {
    case ValueType.Number:
      return jedinica ? `${value} ${jedinica}` : value;
    case ValueType.Set:
      return quoted(stavke.find(({ id }) => String(id) === value)?.naziv ?? value);
    case ValueType.Date:
      return formatDate(value);
    case ValueType.Time:
      return value;
    case ValueType.Moment:
      return formatDateTime(value);
    default:
      return quoted(value);
  }
}

/** `CRP veće od 10 mg/L`; none while the row is not whole. */
function statement(field: SearchField, { operator, vrednost }: Asked): string | null {
  if (operator === null) return null;
  const words = text.operators[operator];
  if (operator === 'popunjeno' || operator === 'nijePopunjeno' || field.tipVrednosti === ValueType.Choice) return `${field.naziv} ${words}`;
  if (vrednost.trim() === '') return null;
  const filled = operator === '!=' || operator === 'neSadrzi' ? `${sentence.filledAnd} ` : '';
  return `${field.naziv} ${filled}${words} ${valueOf(field, vrednost.trim())}`;
}

interface Whole {
  row: Asked;
  field: SearchField;
  says: string;
}

/** `u najnovijem unosu „Pregled”: CRP veće od 10 mg/L`: the entries, then what holds in them. */
function scoped(form: string, rows: readonly Whole[], scope: EntryScope): string {
  const says = rows.map((one) => one.says).join(` ${text.and} `);
  if (scope === 'najnovijiUnos') return sentence.newest(form, says);
  if (scope === 'istiUnos') return rows.length > 1 ? sentence.same(form, says) : sentence.any(form, says);
  const [only] = rows;
  if (only?.row.operator !== 'nijeIzabrano' && only?.row.operator !== 'nijePopunjeno') return sentence.any(form, says);
  // What no entry holds is said of all of them.
  const { field, row } = only;
  const item =
    row.operator === 'nijeIzabrano' && field.tipVrednosti === ValueType.Set
      ? `${field.naziv} ${valueOf(field, row.vrednost.trim())}`
      : field.naziv;
  return sentence.none(form, item, row.operator === 'nijePopunjeno');
}

function whole(setup: SearchSetup, row: Asked): Whole | null {
  const field = setup.polja.find(({ id }) => id === row.poljeID);
  const says = field && statement(field, row);
  return field && says ? { row, field, says } : null;
}

const formOf = (setup: SearchSetup, { tipUnosaID }: SearchField) => setup.tipoviUnosa.find(({ id }) => id === tipUnosaID)?.naziv ?? '';

/** Rows of a box in words: those of one form together, where they speak about one entry. */
function boxSentence(setup: SearchSetup, rows: readonly Whole[], scope: EntryScope): string {
  const together: Whole[][] = [];
  for (const row of rows) {
    const beside = scope === 'biloKojiUnos' ? undefined : together.find(([first]) => first?.field.tipUnosaID === row.field.tipUnosaID);
    if (beside) beside.push(row);
    else together.push([row]);
  }
  return together.map((of) => (of[0] ? scoped(formOf(setup, of[0].field), of, scope) : '')).join(` ${text.and} `);
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** What one row asks, as a sentence; none while it is not whole. */
export function criterionSentence(setup: SearchSetup, row: Asked, scope: EntryScope): string | null {
  const one = whole(setup, row);
  return one && ended(capital(boxSentence(setup, [one], scope)));
}

/** Which entry there must be, and the criteria hold in; nothing where none is asked for. */
export function frameSentence(setup: SearchSetup, frame: SearchRequest['unosUslova']): string {
  if (!frame) return '';
  const form = setup.tipoviUnosa.find(({ id }) => id === frame.tipUnosaID)?.naziv ?? '';
  const days = (from: string | null | undefined, until: string | null | undefined) =>
    [from ? formatDate(from) : null, until ? formatDate(until) : null] as const;
  const said = sentence.entry(form, ...days(frame.od, frame.do), frame.svoj ?? false);
  const { izbor } = frame;
  if (!izbor) return said;
  const rows = (izbor.uslovi ?? []).flatMap(
    (row) =>
      whole(setup, {
        veza: row.veza === 'ili' ? 'ili' : 'i',
        poljeID: row.poljeID ?? null,
        operator: (row.operator ?? null) as Operator | null,
        vrednost: row.vrednost ?? '',
      }) ?? [],
  );
  const conditions = rows.map(({ row, says }, place) => (place === 0 ? says : `${row.veza === 'ili' ? text.or : text.and} ${says}`));
  return `${said}; ${sentence.picked(izbor.koji === 'prvi', ...days(izbor.od, izbor.do), izbor.svoj ?? false, conditions.join(' '))}`;
}

/** What was searched, as one sentence. */
export function searchSentence(setup: SearchSetup, { redPretrage, opsegUslova, ...fixed }: SearchRequest): string {
  const rows = redPretrage.map((row) => ({ ...row, veza: row.veza ?? 'i' }));
  const boxes = boxesOf(rows);
  const inBox = (box: number) => rows.filter((_, i) => boxes[i] === box).flatMap((row) => whole(setup, row) ?? []);
  const said = [...new Set(boxes)].map((box) => boxSentence(setup, inBox(box), opsegUslova)).filter(Boolean);
  const criteria = said.length > 1 ? said.map((one) => `(${one})`).join(` ${text.or} `) : said.join('');
  const years = sentence.years(fixed.godinaOd, fixed.godinaDo);
  const parts = [
    fixed.prezime && sentence.surname(quoted(fixed.prezime)),
    fixed.ime && sentence.name(quoted(fixed.ime)),
    fixed.jmbg && sentence.jmbg(fixed.jmbg),
    fixed.lbo && sentence.lbo(fixed.lbo),
    years,
    fixed.pol === -1 ? '' : sentence.sex(fixed.pol === 1),
    fixed.status && sentence.status(t.patientStatus.statuses[fixed.status]),
    sentence.ownEntry({
      state: fixed.stanjeUnosa && t.entryStates.states[fixed.stanjeUnosa],
      open: fixed.otvoreno && text.openMatters[fixed.otvoreno],
      from: fixed.unosOd && formatDate(fixed.unosOd),
      until: fixed.unosDo && formatDate(fixed.unosDo),
    }),
    frameSentence(setup, fixed.unosUslova),
    criteria,
  ].filter(Boolean);
  return parts.length > 0 ? ended(sentence.searched(parts.join('; '))) : sentence.everybody;
}
