// What an import would do: counts on top, then faults, what does not map, and what changes, each with its place.
import { t } from '../../../messages';
import type { Reply } from '../../../schema';
import { FoldingPanel } from '../../../ui/FoldingPanel';
import { Panel } from '../../../ui/Panel';
import { propertyName } from '../designer/names';
import style from './exchange.module.css';

const text = t.exchange;
type Note = Reply<'ImportReport'>['greske'][number];
type Change = Reply<'ImportReport'>['izmene'][number];

export function ReportView({ report }: { report: Reply<'ImportReport'> }) {
  const changed = report.izmene.filter(({ vrsta }) => vrsta === 'izmenjeno');
  const fresh = report.izmene.filter(({ vrsta }) => vrsta === 'novo');
  const counts = [
    { kind: 'danger', count: report.greske.length, label: text.faults },
    { kind: 'warning', count: report.nemapirano.length, label: text.unmapped },
    { kind: 'danger', count: report.dokaz.razlicito, label: text.differing },
    { kind: 'success', count: report.dokaz.dokazano, label: text.proven },
    { kind: 'warning', count: report.dokaz.nedokazano, label: text.unproven },
    { kind: 'plain', count: fresh.length, label: text.fresh },
    { kind: 'plain', count: changed.length, label: text.changed },
    { kind: 'plain', count: report.ostaje.length, label: text.staying },
    { kind: 'plain', count: report.upozorenja.length, label: text.warnings },
  ].filter(({ count }, place) => count > 0 || place === 0);
  const { rezultata, najmanje } = report.uticaj;
  return (
    <>
      <Panel title={text.report}>
        <ul className={style.counts} aria-live="polite">
          {counts.map(({ kind, count, label }) => (
            <li key={label(count)} data-kind={count === 0 ? 'success' : kind}>
              {label(count)}
            </li>
          ))}
        </ul>
        {report.dokaz.dokazano + report.dokaz.razlicito > 0 && <p className={style.help}>{text.proofHelp(report.dokaz.odgovora)}</p>}
        {report.izmene.length === 0 && report.greske.length === 0 && <p className={style.help}>{text.nothing}</p>}
        {(rezultata > 0 || najmanje) && <p className={style.impact}>{text.impact(rezultata, najmanje)}</p>}
      </Panel>
      <Notes title={text.faultsTitle} help={text.faultsHelp} kind="danger" notes={report.greske} />
      <Notes title={text.unmappedTitle} help={text.unmappedHelp} kind="warning" notes={report.nemapirano} />
      <Changes title={text.changedTitle} changes={changed} />
      <Changes title={text.freshTitle} changes={fresh} />
      {report.ostaje.length > 0 && (
        <FoldingPanel title={`${text.stayingTitle} (${String(report.ostaje.length)})`}>
          <ul className={style.list}>
            {report.ostaje.map((what) => (
              <li key={what}>{what}</li>
            ))}
          </ul>
        </FoldingPanel>
      )}
      <Notes title={text.warningsTitle} notes={report.upozorenja} />
    </>
  );
}

function Notes({ title, help, kind, notes }: { title: string; help?: string; kind?: string; notes: readonly Note[] }) {
  if (notes.length === 0) return null;
  return (
    <FoldingPanel title={`${title} (${String(notes.length)})`}>
      {help && <p className={style.help}>{help}</p>}
      <ul className={style.list} data-kind={kind}>
        {notes.map(({ mesto, poruka, izvorno }, place) => (
          <li key={`${String(place)} ${mesto}`}>
            {mesto && <span className={style.place}>{mesto}</span>}
            <span>{poruka}</span>
            {izvorno && <code className={style.original}>{izvorno}</code>}
          </li>
        ))}
      </ul>
    </FoldingPanel>
  );
}

/** By what each stands in, in the order of the report. */
function Changes({ title, changes }: { title: string; changes: readonly Change[] }) {
  if (changes.length === 0) return null;
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const { gde, u, naziv } = change;
    const group = gde === 'polje' || gde === 'formular' ? (u ?? naziv) : text.groups[gde];
    groups.set(group, [...(groups.get(group) ?? []), change]);
  }
  return (
    <FoldingPanel title={`${title} (${String(changes.length)})`}>
      {[...groups].map(([group, own]) => (
        <section key={group} className={style.group}>
          <h3>{group}</h3>
          <ul className={style.list}>
            {own.map((change, place) => (
              <li key={`${String(place)} ${change.naziv}`}>
                <span>
                  <span className={style.place}>{text.things[change.gde]}</span> <strong>{change.naziv}</strong>
                  {change.sifra && !change.sifra.startsWith('-') && <span className={style.place}> {change.sifra}</span>}
                  {change.gde === 'stavka' && change.u && <span className={style.place}> {text.of(change.u)}</span>}
                </span>
                {change.svojstva.map((property) => (
                  <Property key={property.svojstvo} gde={change.gde} {...property} />
                ))}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </FoldingPanel>
  );
}

function Property({ gde, svojstvo, od, na }: { gde: Change['gde'] } & Change['svojstva'][number]) {
  const name = svojstvo === 'redosled' ? text.order : (gde !== 'registar' && gde !== 'plan' && propertyName(gde, svojstvo)) || svojstvo;
  if (od === null && na === null) return <span className={style.property}>{name}</span>;
  return (
    <span className={style.property}>
      {name}: <del>{od ?? text.blank}</del> <span className="pi pi-arrow-right" aria-hidden /> <ins>{na ?? text.blank}</ins>
    </span>
  );
}
