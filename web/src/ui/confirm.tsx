// A question that must be answered: `if (await confirm({ message, danger: true })) …`.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { createContext, use, useCallback, useId, useState, type ReactNode } from 'react';
import { t } from '../messages';

export interface Question {
  message: ReactNode;
  title?: string;
  accept?: string;
  reject?: string;
  danger?: boolean;
}

type Confirm = (question: Question) => Promise<boolean>;

const Context = createContext<Confirm | null>(null);

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<{ question: Question; answer: (yes: boolean) => void } | null>(null);
  const message = useId();
  const confirm = useCallback<Confirm>((question) => new Promise((answer) => setAsked({ question, answer })), []);
  const close = (yes: boolean) => {
    asked?.answer(yes);
    setAsked(null);
  };
  const { question } = asked ?? {};
  return (
    <Context value={confirm}>
      {children}
      <Dialog
        visible={asked !== null}
        header={question?.title ?? t.common.confirmTitle}
        onHide={() => close(false)}
        pt={{ root: { role: 'alertdialog', 'aria-describedby': message } }}
        style={{ width: 'min(28rem, 94vw)' }}
        draggable={false}
        footer={
          <>
            <Button label={question?.reject ?? t.common.no} severity="secondary" outlined onClick={() => close(false)} autoFocus />
            <Button label={question?.accept ?? t.common.yes} severity={question?.danger ? 'danger' : undefined} onClick={() => close(true)} />
          </>
        }
      >
        <div id={message}>{question?.message}</div>
      </Dialog>
    </Context>
  );
}

export function useConfirm(): Confirm {
  const confirm = use(Context);
  if (!confirm) throw new Error('useConfirm outside ConfirmProvider');
  return confirm;
}
