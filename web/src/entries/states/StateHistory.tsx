// Every state that the entry has been in, the newest first: who, when, by what, and each signature with what was signed.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { Tag } from 'primereact/tag';
import { formatDateTime } from '../../format';
import { t } from '../../messages';
import type { Reply } from '../../schema';
import { useFocusReturn } from '../../ui/useFocusReturn';
import style from './states.module.css';

const text = t.entryStates;

export function StateHistory({ rows, onClose }: { rows: Reply<'EntryStates'>['istorija']; onClose: () => void }) {
  useFocusReturn();
  return (
    <Dialog
      visible
      header={text.history}
      onHide={onClose}
      className={style.dialog}
      draggable={false}
      footer={<Button type="button" label={t.common.close} outlined onClick={onClose} autoFocus />}
    >
      {rows.length === 0 ? (
        <p className={style.help}>{text.noHistory}</p>
      ) : (
        <ol className={style.history}>
          {rows.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </ol>
      )}
    </Dialog>
  );
}

function Row({ row }: { row: Reply<'EntryStates'>['istorija'][number] }) {
  const { radnja, radnik, vreme, razlog, znacenje, verzijaObrasca, otisak, otisakOdgovara, vazi } = row;
  return (
    <li>
      <strong>{text.deeds[radnja]}</strong> <span>{text.by(radnik, formatDateTime(vreme))}</span>{' '}
      {znacenje && <Tag value={vazi ? text.holds : text.ended} severity={vazi ? 'success' : 'secondary'} />}
      {razlog && <p className={style.note}>{razlog}</p>}
      {znacenje && (
        <p className={style.muted}>
          {text.meanings[znacenje]}
          {verzijaObrasca != null && `, ${text.formVersion(verzijaObrasca)}`}
        </p>
      )}
      {otisak && (
        <p className={style.print}>
          {text.fingerprint}: {otisak}
        </p>
      )}
      {vazi && otisak && !otisakOdgovara && <p className={style.altered}>{text.altered}</p>}
    </li>
  );
}
