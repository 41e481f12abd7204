// A question that must be answered: `if (await confirm({ message, accept: t.crud.remove, danger: true })) …`.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { createContext, use, useCallback, useId, useState, type ReactNode } from 'react';
import { t } from '../messages';
import { useFocusReturn } from './useFocusReturn';

export interface Question {
  message: ReactNode;
  title?: string;
  /** The verb of what happens then; the other button is always "Odustani". */
  accept: string;
  /** The verb of another way, and what happens then; the question is then answered with no. */
  instead?: { verb: string; act: () => void };
  danger?: boolean;
}

type Confirm = (question: Question) => Promise<boolean>;

const Context = createContext<Confirm | null>(null);

interface Asked extends Question {
  answer: (yes: boolean) => void;
}

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const confirm = useCallback<Confirm>((question) => new Promise((answer) => setAsked({ ...question, answer })), []);
  const answered = (yes: boolean) => {
    asked?.answer(yes);
    setAsked(null);
  };
  return (
    <Context value={confirm}>
      {children}
      {asked && <ConfirmDialog question={asked} answer={answered} />}
    </Context>
  );
}

/** Goes away at once: a dialog that fades takes the focus with it at its end, from who types elsewhere already. */
function ConfirmDialog({ question, answer }: { question: Question; answer: (yes: boolean) => void }) {
  const message = useId();
  useFocusReturn();
  return (
    <Dialog
      visible
      header={question.title ?? t.common.confirmTitle}
      onHide={() => answer(false)}
      pt={{ root: { role: 'alertdialog', 'aria-describedby': message } }}
      style={{ width: 'min(28rem, 94vw)' }}
      draggable={false}
      footer={
        <>
          <Button label={t.common.cancel} severity="secondary" outlined onClick={() => answer(false)} autoFocus />
          {question.instead && (
            <Button
              label={question.instead.verb}
              outlined
              onClick={() => {
                answer(false);
                question.instead?.act();
              }}
            />
          )}
          <Button label={question.accept} severity={question.danger ? 'danger' : undefined} onClick={() => answer(true)} />
        </>
      }
    >
      <div id={message}>{question.message}</div>
    </Dialog>
  );
}

export function useConfirm(): Confirm {
  const confirm = use(Context);
  if (!confirm) throw new Error('useConfirm outside ConfirmProvider');
  return confirm;
}
