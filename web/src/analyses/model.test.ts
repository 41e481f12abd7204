import { expect, it } from 'vitest';
import { ValueType } from '../forms/valueType';
import {
  analysisChoiceOf,
  analysisDraftOf,
  analysisProblemOf,
  DATES,
  emptyAnalysis,
  emptyVariable,
  eventOptions,
  fieldKey,
  inLanguage,
  isReferenceGone,
  levelsOf,
  numbersOf,
  type AnalysisField,
} from './model';

const field = (id: number, tipVrednosti: AnalysisField['tipVrednosti'], more: Partial<AnalysisField> = {}): AnalysisField => ({
  id,
  naziv: `Polje ${String(id)}`,
  tipUnosaID: 1,
  tipVrednosti,
  jedinica: null,
  decimale: null,
  multiselect: false,
  stavke: [],
  ...more,
});

it('sends what its view uses and nothing else, and opens as it was', () => {
  const draft = {
    ...emptyAnalysis(),
    prikaz: 'prezivljavanje' as const,
    promenljive: [emptyVariable('pol')],
    po: { ...emptyVariable(fieldKey(3)), rezovi: '60; 70,5' },
    dogadjaj: fieldKey(4, 9),
    vreme: fieldKey(5),
    vremena: '30; 365',
    konkurentni: fieldKey(4, 10),
    doVremena: '365,5',
    cenzura: '2026-11-29',
  };
  const choice = analysisChoiceOf(draft);
  expect(choice.promenljive).toEqual([]);
  expect(choice.po).toMatchObject({ izvor: 'polje', poljeID: 3, rezovi: [60, 70.5] });
  expect(choice.dogadjaj).toEqual({ poljeID: 4, stavkaID: 9 });
  expect(choice).toMatchObject({ konkurentni: { poljeID: 4, stavkaID: 10 }, doVremena: 365.5, granice: [] });
  expect(choice.vreme).toEqual({ vrsta: 'polje', poljeID: 5, jedinica: 'dana', cenzura: '2026-11-29' });
  expect(choice.vremena).toEqual([30, 365]);
  const stored = { id: 7, naziv: 'A', kohortaID: 1, kohorta: 'K', izvestajID: 2, deljena: false, moja: true, vlasnik: 'X', verzija: 3 };
  const opened = analysisDraftOf({ ...stored, izbor: choice as never });
  expect(opened).toMatchObject({ id: 7, verzija: 3, dogadjaj: 'polje:4:9', vreme: 'polje:5', vremena: '30; 365' });
  expect(analysisChoiceOf(opened)).toEqual(choice);
});

it('reads numbers between semicolons and says which classes are none', () => {
  expect(numbersOf(' 1,5 ;2; ')).toEqual([1.5, 2]);
  expect(numbersOf('a')).toBeNull();
  const draft = { ...emptyAnalysis(), promenljive: [{ ...emptyVariable('starost'), rezovi: 'mladi' }] };
  expect(analysisProblemOf(draft, () => 'Starost')?.message).toContain('Starost');
  expect(analysisProblemOf({ ...draft, prikaz: 'stope' }, () => 'Starost')).toBeNull();
  expect(analysisProblemOf({ ...emptyAnalysis(), prikaz: 'prezivljavanje', doVremena: 'godinu' }, String)?.field).toBe('doVremena');
  expect(analysisProblemOf({ ...emptyAnalysis(), prikaz: 'tacnost', granice: 'malo' }, String)?.field).toBe('granice');
  expect(analysisChoiceOf({ ...emptyAnalysis(), prikaz: 'tacnost', granice: '1; 0,5', doVremena: '9' })).toMatchObject({
    granice: [1, 0.5],
    doVremena: null,
  });
});

it('offers answers and items as events, and dates where time runs to one', () => {
  const set = field(2, ValueType.Set, { stavke: [{ id: 8, naziv: 'Umro' }] });
  const polja = [field(1, ValueType.Choice), set, field(3, ValueType.Date), field(4, ValueType.Number)];
  expect(eventOptions(polja, false).map(({ value }) => value)).toEqual(['polje:1', 'polje:2:8']);
  expect(eventOptions(polja, true).map(({ value }) => value)).toEqual(['smrt', 'polje:3']);
  expect(analysisChoiceOf({ ...emptyAnalysis(), prikaz: 'stope', vreme: DATES, od: 'polje:3' }).vreme).toMatchObject({
    vrsta: 'datumi',
    poljeID: 3,
  });
});

it('sends products, strata and references of a model alone, and opens them as they were', () => {
  const draft = {
    ...emptyAnalysis(),
    prikaz: 'povezanost' as const,
    promenljive: [{ ...emptyVariable('pol'), referenca: 'Ženski' }, emptyVariable('starost')],
    proizvodi: ['starost*pol', 'starost*polje:3'],
    slojevi: emptyVariable(fieldKey(2)),
    dogadjaj: fieldKey(4),
    vreme: fieldKey(5),
  };
  const choice = analysisChoiceOf(draft);
  expect(choice.proizvodi).toEqual([{ prva: 0, druga: 1 }]);
  expect(choice.slojevi).toMatchObject({ izvor: 'polje', poljeID: 2 });
  expect(choice.promenljive?.[0]?.referenca).toBe('Ženski');
  const stored = { id: 7, naziv: 'A', kohortaID: 1, kohorta: 'K', izvestajID: 2, deljena: false, moja: true, vlasnik: 'X', verzija: 3 };
  expect(analysisChoiceOf(analysisDraftOf({ ...stored, izbor: choice as never }))).toEqual(choice);
  expect(analysisChoiceOf({ ...draft, model: 'logisticka' }).slojevi).toBeNull();
  const table = analysisChoiceOf({ ...draft, prikaz: 'tabela1' });
  expect(table).toMatchObject({ proizvodi: [], slojevi: null });
  expect(table.promenljive?.[0]?.referenca).toBeNull();
});

it('names the categories of a variable as the result does', () => {
  const set = field(2, ValueType.Set, {
    stavke: [
      { id: 8, naziv: 'Umro' },
      { id: 9, naziv: 'Živ' },
    ],
  });
  const polja = [field(1, ValueType.Choice), set, field(3, ValueType.Number)];
  expect(levelsOf(emptyVariable('pol'), polja, 'en')).toEqual(['Male', 'Female']);
  expect(levelsOf(emptyVariable(fieldKey(1)), polja, 'sr')).toEqual(['Ne', 'Da']);
  expect(levelsOf(emptyVariable(fieldKey(2)), polja, 'sr')).toEqual(['Umro', 'Živ']);
  expect(levelsOf({ ...emptyVariable('starost'), rezovi: '60; 70,5' }, polja, 'sr')).toEqual(['< 60', '60 – < 70,5', '≥ 70,5']);
  expect(levelsOf(emptyVariable(fieldKey(3)), polja, 'sr')).toEqual([]);
});

it('gives a reference the words of another language, and says of one that is gone', () => {
  const set = field(2, ValueType.Set, {
    stavke: [
      { id: 8, naziv: 'Umro' },
      { id: 9, naziv: 'Živ' },
    ],
  });
  const variables = [
    { ...emptyVariable('pol'), referenca: 'Ženski' },
    { ...emptyVariable(fieldKey(2)), referenca: 'Preveden' },
  ];
  const draft = inLanguage({ ...emptyAnalysis(), promenljive: variables }, 'en', [set]);
  expect(draft.promenljive.map(({ referenca }) => referenca)).toEqual(['Female', 'Preveden']);
  expect(draft.promenljive.map((variable) => isReferenceGone(variable, levelsOf(variable, [set], 'en')))).toEqual([false, true]);
});
