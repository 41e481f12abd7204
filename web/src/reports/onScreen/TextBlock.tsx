// The words of a flowing document: headings, paragraphs, labelled values.
import { useEffect } from 'react';
import { t } from '../../messages';
import type { Reply } from '../../schema';
import { Loading, LoadFailed } from '../../ui/states';
import style from './onScreen.module.css';
import { LINES_OF_PAGE, useLines } from './useLines';
import type { ScreenLine } from './visible';

/** A document is read from its beginning, and so much of it at once. */
const MOST_LINES = 30 * LINES_OF_PAGE;

export function TextBlock({ run, place, block }: { run: string; place: number; block: Reply<'ScreenBlock'> }) {
  const count = Math.min(block.linija, MOST_LINES);
  const { lineAt, want, error, retry } = useLines(run, place, 'ceo');
  useEffect(() => {
    if (error === null) want(0, count);
  }, [want, count, error]);
  if (error !== null) return <LoadFailed error={error} retry={retry} title={t.reportView.linesFailed} />;
  const lines = Array.from({ length: count }, (_, line) => lineAt(line));
  return (
    <section className={style.text}>
      {lines.map((line, place) => line && <TextLine key={place} line={line} />)}
      {lines.some((line) => !line) && <Loading />}
      {block.linija > count && <p className={style.muted}>{t.reportView.textCut}</p>}
    </section>
  );
}

export function TextLine({ line: { vrsta, nivo, tekst, celije } }: { line: ScreenLine }) {
  if (vrsta === 'naslov') return nivo > 1 ? <h3>{tekst}</h3> : <h2>{tekst}</h2>;
  if (vrsta === 'polje')
    return (
      <dl className={style.pair}>
        <dt>{tekst}</dt>
        <dd>{celije[0]}</dd>
      </dl>
    );
  return <p>{tekst}</p>;
}
