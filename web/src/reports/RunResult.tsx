// The result of an analysis on the screen: its tables, and each drawing with the table of its numbers, to download as SVG and PNG.
import DOMPurify from 'dompurify';
import { Button } from 'primereact/button';
import { useMemo } from 'react';
import { at } from '../api/address';
import { saveFile } from '../api/client';
import { useApi } from '../api/hooks';
import { t } from '../messages';
import type { Reply } from '../schema';
import { Loading, LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import { useIsNarrow } from '../ui/useIsNarrow';
import style from './result.module.css';

type Picture = Reply<'ReportScreenPicture'>;

const text = t.reports.result;
/** Pixels of a PNG for each of the drawing: for a paper. */
const PNG_SCALE = 3;

/** Each reading is recorded, so it is read once and kept. */
const ONCE = { revalidateOnFocus: false, revalidateOnReconnect: false, revalidateIfStale: false };

export function RunResult({ run }: { run: string }) {
  const { data, error, mutate } = useApi(at('/api/report-runs/{id}/screen', { id: run }), ONCE);
  if (!data) return error ? <LoadFailed title={text.failed} error={error} retry={() => void mutate()} /> : <Loading lines={6} />;
  return (
    <div className={style.result}>
      {data.napomena && <p className={style.note}>{data.napomena}</p>}
      {data.tabele.map((table, place) => (
        <section key={place} aria-label={table.naslov}>
          {/* It scrolls, by the keyboard too. */}
          {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <div className={style.scroll} tabIndex={0} role="group" aria-label={text.table(table.naslov)}>
            <table>
              <caption>{table.naslov}</caption>
              <thead>
                <tr>
                  {table.zaglavlja.map(({ tekst, desno }, i) => (
                    <th key={i} scope="col" data-right={desno}>
                      {tekst}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {table.redovi.map((row, i) => (
                  <tr key={i}>
                    {row.map((cell, j) => (
                      <td key={j} data-right={table.zaglavlja[j]?.desno}>
                        {cell}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {table.napomene.map((note) => (
            <p key={note} className={style.note}>
              {note}
            </p>
          ))}
          {table.slike.map((picture, i) => (
            <ResultPicture key={i} picture={picture} />
          ))}
        </section>
      ))}
    </div>
  );
}

function ResultPicture({ picture }: { picture: Picture }) {
  const toast = useToast();
  const isNarrow = useIsNarrow();
  const svg = isNarrow ? (picture.uska ?? picture.svg) : picture.svg;
  const clean = useMemo(() => (svg === null ? '' : DOMPurify.sanitize(svg, { USE_PROFILES: { svg: true } })), [svg]);
  if (svg === null) return <p className={style.note}>{picture.greska ?? text.notDrawn}</p>;
  const save = async (kind: 'svg' | 'png') => {
    const drawn = new Blob([picture.svg ?? svg], { type: 'image/svg+xml' });
    try {
      saveFile({ content: kind === 'svg' ? drawn : await pngOf(drawn), name: `${picture.naslov}.${kind}` });
    } catch (error) {
      toast.failure(text.saveFailed, error);
    }
  };
  return (
    <figure className={style.figure}>
      <div className={style.drawing} dangerouslySetInnerHTML={{ __html: clean }} />
      <figcaption>
        <Button type="button" label={text.svg} icon="pi pi-download" text size="small" onClick={() => void save('svg')} />
        <Button type="button" label={text.png} icon="pi pi-download" text size="small" onClick={() => void save('png')} />
        <details>
          <summary>{text.numbers}</summary>
          {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <div className={style.scroll} tabIndex={0} role="group" aria-label={text.numbersOf(picture.naslov)}>
            <table>
              <caption className="sr-only">{picture.naslov}</caption>
              <thead>
                <tr>
                  {picture.zaglavlja.map((head) => (
                    <th key={head} scope="col">
                      {head}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {picture.redovi.map((row, i) => (
                  <tr key={i}>
                    {row.map((cell, j) => (
                      <td key={j}>{cell}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      </figcaption>
    </figure>
  );
}

/** The drawing as pixels, on white. */
async function pngOf(svg: Blob): Promise<Blob> {
  const address = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * PNG_SCALE;
    canvas.height = image.naturalHeight * PNG_SCALE;
    const paper = canvas.getContext('2d');
    if (!paper) throw new Error('no canvas');
    paper.fillStyle = '#fff';
    paper.fillRect(0, 0, canvas.width, canvas.height);
    paper.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((made) => (made ? resolve(made) : reject(new Error('no picture'))), 'image/png');
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
