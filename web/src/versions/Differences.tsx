// What one version of a form has that another has not: for whoever takes an entry over to it, and for whoever configures it.
import type { Schema } from '../schema';
import { EMPTY } from '../format';
import { t } from '../messages';
import style from './differences.module.css';

const text = t.versions;

/** `naziv: staro → novo`; what only looks otherwise has neither. */
function changeText({ sta, staro, novo, samoPravopis }: Schema<'FormChange'>): string {
  const of = samoPravopis ? `${text.aspects[sta]} (${text.respelt})` : text.aspects[sta];
  return staro === null && novo === null ? of : `${of}: ${staro ?? EMPTY} → ${novo ?? EMPTY}`;
}

const List = ({ title, items }: { title: string; items: readonly { key: number; text: string }[] }) =>
  items.length === 0 ? null : (
    <section className={style.group}>
      <h2>{title}</h2>
      <ul>
        {items.map((item) => (
          <li key={item.key}>{item.text}</li>
        ))}
      </ul>
    </section>
  );

export function Differences({ difference: { naziv, dodata, uklonjena, izmenjena, pravila } }: { difference: Schema<'Difference'> }) {
  const named = (fields: readonly Schema<'NamedField'>[]) => fields.map(({ polje, naziv }) => ({ key: polje, text: naziv }));
  if (!naziv && dodata.length + uklonjena.length + izmenjena.length + pravila.length === 0) return <p>{text.same}</p>;
  return (
    <div className={style.all}>
      {naziv && <p>{text.renamed(naziv.staro ?? EMPTY, naziv.novo ?? EMPTY)}</p>}
      {izmenjena.length > 0 && (
        <section className={style.group}>
          <h2>{text.changed}</h2>
          <ul>
            {izmenjena.map(({ polje, naziv, promene }) => (
              <li key={polje}>
                <strong>{naziv}</strong>
                <ul>
                  {promene.map((change) => (
                    <li key={`${change.sta} ${String(change.samoPravopis)}`}>{changeText(change)}</li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </section>
      )}
      <List title={text.added} items={named(dodata)} />
      <List title={text.removed} items={named(uklonjena)} />
      <List title={text.rules} items={pravila.map(({ staro, novo }, key) => ({ key, text: `${staro ?? EMPTY} → ${novo ?? EMPTY}` }))} />
    </div>
  );
}

/** Results that are others by the newer version, and values that it has no field for. */
export function OtherValues({
  results,
  withoutField,
}: {
  results: readonly Schema<'OtherResult'>[];
  withoutField: readonly Schema<'OtherResult'>[];
}) {
  return (
    <>
      <List
        title={text.results}
        items={results.map(({ polje, naziv, staro, novo }) => ({ key: polje, text: `${naziv}: ${staro ?? EMPTY} → ${novo ?? EMPTY}` }))}
      />
      <List
        title={text.withoutField}
        items={withoutField.map(({ polje, naziv, staro }) => ({ key: polje, text: `${naziv}: ${staro ?? EMPTY}` }))}
      />
    </>
  );
}
