// The language of formulas, as it is offered while one types; docs/formulas.md says the whole of it.
interface FunctionHelp {
  name: string;
  /** What stands in its brackets; null where it has none. */
  values: string | null;
  told: string;
}

const functions: readonly FunctionHelp[] = [
  { name: 'if', values: 'uslov, a, b', told: 'a kada je uslov tačan, inače b' },
  { name: 'lookup', values: 'x, < 2.6 : "a", <= 3.2 : "b", "c"', told: 'prvi red tabele u koji x staje' },
  { name: 'isblank', values: 'x', told: 'da li je prazno' },
  { name: 'selected', values: '$(skup), 3', told: 'da li je stavka izabrana, po broju ili nazivu' },
  { name: 'anyof', values: '$(skup), 3, 5', told: 'da li je izabrana neka od stavki' },
  { name: 'sum', values: 'a, b, …', told: 'zbir; prazan ako je neka vrednost prazna' },
  { name: 'avg', values: 'a, b, …', told: 'prosek' },
  { name: 'min', values: 'a, b, …', told: 'najmanja vrednost' },
  { name: 'max', values: 'a, b, …', told: 'najveća vrednost' },
  { name: 'median', values: 'a, b, …', told: 'medijana' },
  { name: 'sd', values: 'a, b, …', told: 'standardna devijacija uzorka' },
  { name: 'count', values: 'a, b, …', told: 'broj unetih vrednosti' },
  { name: 'countif', values: '>= 2, a, b, …', told: 'broj vrednosti koje ispunjavaju uslov' },
  { name: 'round', values: 'x, decimale', told: 'zaokruženo' },
  { name: 'floor', values: 'x', told: 'zaokruženo naniže' },
  { name: 'ceil', values: 'x', told: 'zaokruženo naviše' },
  { name: 'abs', values: 'x', told: 'apsolutna vrednost' },
  { name: 'sqrt', values: 'x', told: 'kvadratni koren' },
  { name: 'pow', values: 'osnova, izložilac', told: 'stepen' },
  { name: 'ln', values: 'x', told: 'prirodni logaritam' },
  { name: 'log10', values: 'x', told: 'dekadni logaritam' },
  { name: 'exp', values: 'x', told: 'e na x' },
  { name: 'age', values: 'od, do', told: 'punih godina između datuma' },
  { name: 'age_months', values: 'od, do', told: 'punih meseci između datuma' },
  { name: 'age_days', values: 'od, do', told: 'dana između datuma' },
  { name: 'days_between', values: 'od, do', told: 'dana između datuma' },
  { name: 'add_days', values: 'datum, dana', told: 'datum posle toliko dana' },
  { name: 'today', values: '', told: 'današnji dan' },
  { name: 'concat', values: 'a, b, …', told: 'spojeni tekstovi' },
  { name: 'join', values: '", ", a, b, …', told: 'uneti tekstovi, sa znakom između njih' },
  { name: 'datumPregleda', values: null, told: 'datum pregleda' },
  { name: 'pacijent.pol', values: null, told: 'pol pacijenta, poredi se sa "M" i "Ž"' },
  { name: 'pacijent.polNaRodjenju', values: null, told: 'pol na rođenju' },
  { name: 'pacijent.datumRodjenja', values: null, told: 'datum rođenja pacijenta' },
  { name: 'prethodno', values: '$(polje)', told: 'vrednost polja u prethodnom unosu' },
  { name: 'prethodniDatum', values: null, told: 'datum prethodnog unosa' },
  { name: 'brojRedova', values: '$(sekcija)', told: 'broj redova sekcije' },
  { name: 'prviRed', values: 'x', told: 'vrednost u prvom redu sekcije' },
  { name: 'poslednjiRed', values: 'x', told: 'vrednost u poslednjem redu sekcije' },
  { name: 'nekiRed', values: 'uslov', told: 'da li uslov važi u nekom redu' },
  { name: 'svakiRed', values: 'uslov', told: 'da li uslov važi u svakom redu' },
];

export const formulaHelp = {
  functions,
  list: 'Polja i funkcije',
  section: 'sekcija koja se ponavlja',
  itemNumber: 'broj izabrane stavke',
  more: (count: number) => `Još ${String(count)}; nastavite da kucate.`,
  place: 'Mesto greške',
};
