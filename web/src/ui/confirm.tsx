// A question that must be answered: `if (await confirm({ message, accept: t.crud.remove, danger: true })) …`.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { createContext, use, useCallback, useId, useState, type ReactNode } from 'react';
import { t } from '../messages';

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

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<{ question: Question; answer: (yes: boolean) => void } | null>(null);
  const [open, setOpen] = useState(false);
  const message = useId();
  const confirm = useCallback<Confirm>(
    (question) =>
      new Promise((answer) => {
        setAsked({ question, answer });
        setOpen(true);
      }),
    [],
  );
  const close = (yes: boolean) => {
    asked?.answer(yes);
    setOpen(false);
  };
  // While the dialog fades it says what it said.
  const question = asked?.question;
  return (
    <Context value={confirm}>
      {children}
      {question && (
        <Dialog
          visible={open}
          header={question.title ?? t.common.confirmTitle}
          onHide={() => close(false)}
          pt={{ root: { role: 'alertdialog', 'aria-describedby': message } }}
          style={{ width: 'min(28rem, 94vw)' }}
          draggable={false}
          footer={
            <>
              <Button label={t.common.cancel} severity="secondary" outlined onClick={() => close(false)} autoFocus />
              {question.instead && (
                <Button
                  label={question.instead.verb}
                  outlined
                  onClick={() => {
                    close(false);
                    question.instead?.act();
                  }}
                />
              )}
              <Button label={question.accept} severity={question.danger ? 'danger' : undefined} onClick={() => close(true)} />
            </>
          }
        >
          <div id={message}>{question.message}</div>
        </Dialog>
      )}
    </Context>
  );
}

export function useConfirm(): Confirm {
  const confirm = use(Context);
  if (!confirm) throw new Error('useConfirm outside ConfirmProvider');
  return confirm;
}
