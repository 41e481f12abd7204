import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { Message } from 'primereact/message';
import { usePasswordChange } from '../auth/usePasswordChange';
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { useFocusReturn } from '../ui/useFocusReturn';
import style from './profile.module.css';

export function PasswordDialog({ onClose }: { onClose: () => void }) {
  useFocusReturn();
  const { formId, fields, failure, changed, busy, save } = usePasswordChange(onClose);
  const confirm = useConfirm();

  async function close() {
    if (busy) return;
    if (!changed || (await confirm({ message: t.crud.discardQuestion, accept: t.crud.discard, danger: true }))) onClose();
  }

  return (
    <Dialog visible onHide={() => void close()} header={t.profile.changePassword} style={{ width: 'min(28rem, 94vw)' }} draggable={false}>
      <form id={formId} onSubmit={(event) => void save(event)} className={style.passwords} noValidate>
        {fields}
        {failure && <Message severity="error" text={failure} />}
        <div className={style.actions}>
          <Button type="submit" label={t.profile.changePassword} loading={busy} />
          <Button type="button" label={t.common.cancel} severity="secondary" outlined onClick={() => void close()} />
        </div>
      </form>
    </Dialog>
  );
}
