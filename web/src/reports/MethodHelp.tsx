// What a method is, when it misleads and whose it is: the guide's words, opened by a question mark beside the method's name.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { useState, type ReactNode } from 'react';
import { t } from '../messages';
import style from './reports.module.css';

export type Method = keyof typeof t.methods;

/** The method of a block, by the name that its run gave it; none: the guide tells nothing of it. */
export const methodOf = (name: string | null | undefined): Method | null => (name && name in t.methods ? (name as Method) : null);

export function MethodHelp({ name, methods }: { name: string; methods: readonly Method[] }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        type="button"
        icon="pi pi-question-circle"
        text
        rounded
        aria-label={t.analyses.view.help(name)}
        onClick={() => setOpen(true)}
      />
      {open && (
        <Dialog visible header={name} onHide={() => setOpen(false)} style={{ width: 'min(44rem, 94vw)' }} draggable={false} dismissableMask>
          {methods.map((method) => (
            <section key={method} className={style.method}>
              <h3>{t.methods[method].title}</h3>
              <MethodText text={t.methods[method].text} />
            </section>
          ))}
        </Dialog>
      )}
    </>
  );
}

/** Paragraphs and lists of the guide's Markdown. */
function MethodText({ text }: { text: string }) {
  const parts = text.split(/\n(?=- )/).map((part) => part.replace(/\s*\n\s*/g, ' '));
  if (!text.startsWith('- ')) return <p>{marked(parts.join(' '))}</p>;
  return (
    <ul>
      {parts.map((part) => (
        <li key={part}>{marked(part.slice(2))}</li>
      ))}
    </ul>
  );
}

const MARK = /\*\*([^*]+)\*\*|\*([^*]+)\*|`([^`]+)`/;

function marked(text: string): ReactNode[] {
  const found = MARK.exec(text);
  if (!found) return [text];
  const [all, strong, soft, code] = found;
  const before = text.slice(0, found.index);
  const word = strong ? (
    <strong key={found.index}>{strong}</strong>
  ) : soft ? (
    <em key={found.index}>{soft}</em>
  ) : (
    <code key={found.index}>{code}</code>
  );
  return [
    before,
    word,
    ...marked(text.slice(found.index + all.length)).map((node, i) => <span key={`${String(found.index)}-${String(i)}`}>{node}</span>),
  ];
}
