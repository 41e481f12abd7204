// The first rows of a file as they will be read; a cell that cannot be says why.
import type { Reply } from '../schema';
import { t } from '../messages';
import style from './dataImport.module.css';

const text = t.dataImport;

export function Preview({ preview: { kolone, redovi } }: { preview: Reply<'ImportPreview'> }) {
  if (kolone.length === 0) return null;
  const named = (name: string) => text.patientFields[name] ?? name;
  return (
    // It scrolls, by the keyboard too.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={style.scroll} tabIndex={0} role="group" aria-label={text.preview}>
      <table className={style.table}>
        <thead>
          <tr>
            <th scope="col">{text.previewRow}</th>
            {kolone.map((name, place) => (
              <th key={`${name} ${String(place)}`} scope="col">
                {named(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {redovi.map(({ red, celije }) => (
            <tr key={red}>
              <th scope="row">{red}</th>
              {celije.map(({ tekst, greska }, place) => (
                <td key={`${String(red)} ${String(place)}`} data-wrong={greska !== null}>
                  {greska ?? tekst}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
