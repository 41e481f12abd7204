// A question mark that opens the page of the guide about its screen.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { useState } from 'react';
import { t } from '../messages';
import { useFocusReturn } from './useFocusReturn';

type GuideName = keyof typeof t.guide;

export function GuideButton({ page }: { page: GuideName }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        type="button"
        icon="pi pi-question-circle"
        text
        severity="secondary"
        aria-label={t.common.guide(t.guide[page].title)}
        onClick={() => setOpen(true)}
      />
      {open && <GuideDialog page={page} onClose={() => setOpen(false)} />}
    </>
  );
}

function GuideDialog({ page, onClose }: { page: GuideName; onClose: () => void }) {
  useFocusReturn();
  const { title, paragraphs } = t.guide[page];
  return (
    <Dialog visible header={title} onHide={onClose} draggable={false} style={{ width: 'min(40rem, 94vw)' }}>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph.split('**').map((part, i) => (i % 2 === 1 ? <strong key={i}>{part}</strong> : part))}</p>
      ))}
    </Dialog>
  );
}
