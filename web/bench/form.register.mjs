// Writes the definition of a register with two large forms for `./dev bench form`, in the format of docs/import.md, always the same.
// Each has 140 groups, 800 fields, 40 of them calculated and 360 shown under a condition, and a section with rows of four columns: one in
// tabs, one on a single page. A third, small one has rows that calculate.

const FIELDS = 800;
const CALCULATED_EVERY = 20;
/** Places within each twenty fields whose fields have a condition: nine of twenty are 360 of 800. */
const CONDITIONAL = new Set([2, 4, 5, 7, 9, 12, 14, 16, 18]);
/** Shown while the first number of the form is over 50: many at once. */
const SWITCHED = 24;

const TYPES = [
  { naziv: 'Segment', tipVrednosti: 'tab' },
  { naziv: 'Panel', tipVrednosti: 'panel' },
  {
    naziv: 'Nalaz',
    tipVrednosti: 'brojni',
    decimaleBrojneVrednosti: 1,
    donjaGranicaBrojneVrednosti: 0,
    gornjaGranicaBrojneVrednosti: 500,
    jedinica: 'mg/L',
  },
  { naziv: 'Ocena', tipVrednosti: 'brojni', decimaleBrojneVrednosti: 0, donjaGranicaBrojneVrednosti: 0, gornjaGranicaBrojneVrednosti: 100 },
  { naziv: 'Pokazatelj', tipVrednosti: 'brojni', decimaleBrojneVrednosti: 2 },
  { naziv: 'Opis', tipVrednosti: 'tekstualni' },
  { naziv: 'Zapažanje', tipVrednosti: 'tekstualni', sirina: 60, visina: 3 },
  { naziv: 'Da/Ne', tipVrednosti: 'izborni' },
  { naziv: 'Datum', tipVrednosti: 'datumski' },
  { naziv: 'Stepen', tipVrednosti: 'skupovni', stavke: ['Bez promena', 'Blage promene', 'Umerene promene', 'Teške promene'] },
  {
    naziv: 'Terapija',
    tipVrednosti: 'skupovni',
    stavke: ['Metotreksat', 'Sulfasalazin', 'Leflunomid', 'Hidroksihlorokin', 'Glukokortikoid', 'Biološki lek', 'JAK inhibitor'],
  },
];

/** Widgets in turn, as a clinician's form mixes them; numbers and texts most. */
const WIDGETS = [
  { tipAtributa: 'Nalaz', naziv: 'Laboratorijski nalaz', donjaReferentnaBrojnaVrednost: 2, gornjaReferentnaBrojnaVrednost: 40 },
  { tipAtributa: 'Ocena', naziv: 'Ocena tegoba' },
  { tipAtributa: 'Opis', naziv: 'Opis promene' },
  { tipAtributa: 'Da/Ne', naziv: 'Prisutno', imaCekBox: true },
  { tipAtributa: 'Nalaz', naziv: 'Kontrolni nalaz', relevantni: true },
  { tipAtributa: 'Stepen', naziv: 'Stepen promena' },
  { tipAtributa: 'Ocena', naziv: 'Ocena lekara' },
  { tipAtributa: 'Datum', naziv: 'Datum nalaza' },
  { tipAtributa: 'Da/Ne', naziv: 'Potvrđeno', radioButton: true },
  { tipAtributa: 'Opis', naziv: 'Lokalizacija' },
  { tipAtributa: 'Terapija', naziv: 'Terapija', multiselect: true },
  { tipAtributa: 'Zapažanje', naziv: 'Zapažanje', vertikalniPrikaz: true },
  { tipAtributa: 'Stepen', naziv: 'Zahvaćenost', radioButton: true },
];

const ref = (i) => `$(p${i})`;
const isNumber = ({ tipAtributa }) => tipAtributa === 'Nalaz' || tipAtributa === 'Ocena';
const isCalculated = (i) => i % CALCULATED_EVERY === CALCULATED_EVERY - 1;

/** The numbers nearest before a field. */
function numbersBefore(fields, most) {
  return fields
    .filter((field) => isNumber(field))
    .slice(-most)
    .map(({ sifra }) => `$(${sifra})`);
}

/** Sums, a score with roots and a logarithm, and a score over other scores in turn: the chains are up to ten long. */
function calculation(i, fields) {
  const numbers = numbersBefore(fields, 6);
  const scores = fields
    .filter(({ formulaZaRacunanje }) => formulaZaRacunanje)
    .slice(-2)
    .map(({ sifra }) => `$(${sifra})`);
  const [a, b, c, d] = numbers;
  const turn = Math.floor(i / CALCULATED_EVERY) % 4;
  if (turn === 1) return `0.56 * sqrt(${a}) + 0.28 * sqrt(${b}) + 0.70 * ln(${c} + 1) + 0.014 * ${d}`;
  if (turn === 2) return `round(avg(${numbers.join(', ')}), 1)`;
  if (turn === 3) return `if(isblank(${scores[0]}), 0, ${scores[0]}) / 10 + if(${a} > 50, 1, 0)`;
  return `max(${numbers.join(', ')}) - min(${numbers.join(', ')})`;
}

/** By a number, a choice, a set, a score or another shown field near before it. */
function condition(i, fields, switched) {
  if (switched) return `${ref(0)} > 50`;
  const near = fields.slice(-CALCULATED_EVERY).reverse();
  const choice = near.find(({ tipAtributa }) => tipAtributa === 'Da/Ne');
  const set = near.find(({ tipAtributa }) => tipAtributa === 'Stepen');
  const score = near.find(({ formulaZaRacunanje }) => formulaZaRacunanje);
  const number = numbersBefore(fields, 1)[0];
  switch (i % 4) {
    case 0:
      return choice ? `$(${choice.sifra}) or ${number} > 10` : `isblank(${number}) or ${number} > 10`;
    case 1:
      return set ? `isblank($(${set.sifra})) or $!(${set.sifra}) >= 1` : `isblank(${number}) or ${number} < 400`;
    case 2:
      return score ? `isblank($(${score.sifra})) or $(${score.sifra}) < 90` : `isblank(${number}) or ${number} < 400`;
    default:
      return `isblank(${number}) or ${number} != 13`;
  }
}

function fieldAt(i, fields, switchedSoFar) {
  if (isCalculated(i))
    return { sifra: `p${i}`, naziv: `Pokazatelj ${i + 1}`, tipAtributa: 'Pokazatelj', formulaZaRacunanje: calculation(i, fields) };
  const widget = WIDGETS[i % WIDGETS.length];
  const field = { ...widget, sifra: `p${i}`, naziv: `${widget.naziv} ${i + 1}` };
  if (CONDITIONAL.has(i % CALCULATED_EVERY))
    field.formulaZaPrikaz = condition(i, fields, i > 20 && i % 2 === 0 && switchedSoFar < SWITCHED);
  return field;
}

/** A section that repeats, behind the first panel. */
const ROWS = { sifra: 'redovi', naziv: 'Terapija po redovima', tipAtributa: 'Panel', ponavljaSe: true };
const COLUMNS = ['Opis', 'Nalaz', 'Datum', 'Stepen'].map((tipAtributa, n) => ({
  sifra: `kolona${n}`,
  naziv: `Kolona ${n + 1}`,
  tipAtributa,
  nadredjeni: ROWS.sifra,
}));

/** Fields spread evenly over the panels, each panel's after it. */
function form(sifraVeza, naziv, containers, panels) {
  const values = [];
  let switched = 0;
  for (let i = 0; i < FIELDS; i++) {
    values.push(fieldAt(i, values, switched));
    if (values[i].formulaZaPrikaz === `${ref(0)} > 50`) switched++;
  }
  const polja = [...containers];
  panels.forEach((panel, at) => {
    polja.push(panel);
    const [from, to] = [at, at + 1].map((n) => Math.floor((n * FIELDS) / panels.length));
    polja.push(...values.slice(from, to).map((field) => ({ ...field, nadredjeni: panel.sifra })));
    if (at === 0) polja.push({ ...ROWS, ...(panel.nadredjeni && { nadredjeni: panel.nadredjeni }) }, ...COLUMNS);
  });
  return { sifraVeza, naziv, polja };
}

const panel = (n, nadredjeni) => ({
  sifra: `panel${n}`,
  naziv: `Grupa nalaza ${n + 1}`,
  tipAtributa: 'Panel',
  ...(nadredjeni ? { nadredjeni } : {}),
});

function inTabs() {
  const segments = Array.from({ length: 8 }, (_, n) => ({ sifra: `segment${n}`, naziv: `Segment ${n + 1}`, tipAtributa: 'Segment' }));
  const tabs = Array.from({ length: 24 }, (_, n) => ({
    sifra: `kartica${n}`,
    naziv: `Kartica ${n + 1}`,
    tipAtributa: 'Segment',
    nadredjeni: `segment${Math.floor(n / 3)}`,
  }));
  const panels = Array.from({ length: 108 }, (_, n) => panel(n, `kartica${Math.floor((n * 24) / 108)}`));
  return form('uKarticama', 'Veliki obrazac u karticama', [...segments, ...tabs], panels);
}

const onOnePage = () =>
  form(
    'naJednojStrani',
    'Veliki obrazac na jednoj strani',
    [],
    Array.from({ length: 140 }, (_, n) => panel(n)),
  );

/** Rows with a formula and a condition in each, and what sums them outside. */
function calculatingRows() {
  const column = { nadredjeni: 'terapija' };
  const polja = [
    { sifra: 'terapija', naziv: 'Terapija', tipAtributa: 'Panel', ponavljaSe: true, najviseRedova: 50 },
    { ...column, sifra: 'doza', naziv: 'Doza', tipAtributa: 'Nalaz' },
    { ...column, sifra: 'puta', naziv: 'Puta', tipAtributa: 'Ocena' },
    { ...column, sifra: 'dnevno', naziv: 'Dnevno', tipAtributa: 'Pokazatelj', formulaZaRacunanje: '$(doza) * $(puta)' },
    { ...column, sifra: 'udeo', naziv: 'Udeo', tipAtributa: 'Pokazatelj', formulaZaRacunanje: '100 * $(dnevno) / $(ukupno)' },
    { ...column, sifra: 'razlog', naziv: 'Razlog visoke doze', tipAtributa: 'Opis', formulaZaPrikaz: '$(doza) > 20' },
    {
      sifra: 'ukupno',
      naziv: 'Ukupno',
      tipAtributa: 'Pokazatelj',
      formulaZaRacunanje: 'sum(if(isblank($(dnevno)), 0, $(dnevno)))',
    },
  ];
  return { sifraVeza: 'redoviKojiRacunaju', naziv: 'Redovi koji računaju', polja };
}

const toml = (value) =>
  Array.isArray(value)
    ? `[${value.map((one, i) => `{ naziv = ${JSON.stringify(one)}, numVrednost = ${i} }`).join(', ')}]`
    : JSON.stringify(value);
const table = (name, record) =>
  `${name}\n${Object.entries(record)
    .map(([key, value]) => `${key} = ${toml(value)}`)
    .join('\n')}\n`;

const forms = [inTabs(), onOnePage()];
for (const { polja } of forms) {
  const found = [
    polja.filter(({ tipAtributa }) => tipAtributa === 'Panel' || tipAtributa === 'Segment').length,
    polja.filter((one) => one.formulaZaRacunanje).length,
    polja.filter((one) => one.formulaZaPrikaz).length,
    polja.length,
  ];
  if (String(found) !== '141,40,360,945') throw new Error(`groups, calculated, conditional, all: ${found}`);
}
forms.push(calculatingRows());
process.stdout.write(
  [
    table('[register]', { sifra: 'velikiObrasci', naziv: 'Veliki obrasci', prviTipHijerarhijeAtributa: 'uKarticama' }),
    ...TYPES.map((type) => table('[[attributeTypes]]', type)),
    ...forms.flatMap(({ polja, ...head }) => [table('[[forms]]', head), ...polja.map((one) => table('[[forms.polja]]', one))]),
  ].join('\n'),
);
