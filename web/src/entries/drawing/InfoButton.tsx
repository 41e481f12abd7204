// A field's explanation: HTML written by the designer of the form, cleaned before it is shown.
import DOMPurify from 'dompurify';
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { useMemo, useState } from 'react';
import { t } from '../../messages';
import { useFocusReturn } from '../../ui/useFocusReturn';
import style from './entry.module.css';

const purifier = DOMPurify();
purifier.addHook('afterSanitizeAttributes', (node) => {
  if (!node.hasAttribute('href')) return;
  node.setAttribute('target', '_blank');
  node.setAttribute('rel', 'noopener noreferrer');
});

export const cleanHtml = (html: string): string =>
  purifier.sanitize(html, {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['form', 'input', 'button', 'style'],
    FORBID_ATTR: ['style', 'id', 'class'],
  });

export function InfoButton({ name, html }: { name: string; html: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={style.info}
        aria-label={t.entries.infoAbout(name)}
        title={t.entries.info}
        onClick={() => setOpen(true)}
      >
        <span className="pi pi-info-circle" aria-hidden />
      </button>
      {open && <InfoDialog html={html} close={() => setOpen(false)} />}
    </>
  );
}

function InfoDialog({ html, close }: { html: string; close: () => void }) {
  useFocusReturn();
  const clean = useMemo(() => cleanHtml(html), [html]);
  return (
    <Dialog
      visible
      header={t.entries.info}
      onHide={close}
      draggable={false}
      style={{ width: 'min(36rem, 94vw)' }}
      footer={<Button label={t.common.close} onClick={close} autoFocus />}
    >
      <div className={style.html} dangerouslySetInnerHTML={{ __html: clean }} />
    </Dialog>
  );
}
