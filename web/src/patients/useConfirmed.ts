// Saves that the server may ask about: what a person confirms is sent with the save again.
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { confirmationsOf } from './answers';

const text = t.patients.form;

export function useConfirmed() {
  const confirm = useConfirm();
  /**
   * Sends a save again with what the person confirms, until nothing is left to confirm; none when one of them is not meant. `before`:
   * what she has confirmed already. `own`: what the caller asks itself; the refusal that asks it is the caller's to catch.
   */
  return async function confirmed<T>(
    send: (potvrde: string[]) => Promise<T>,
    before: readonly string[] = [],
    own: readonly string[] = [],
  ): Promise<T | null> {
    const given = [...before];
    for (;;) {
      try {
        return await send(given);
      } catch (error) {
        const asked = confirmationsOf(error).filter(({ oznaka }) => !given.includes(oznaka));
        if (asked.length === 0 || asked.some(({ oznaka }) => own.includes(oznaka))) throw error;
        const message = [...asked.map(({ tekst }) => tekst), text.confirmQuestion].join(' ');
        if (!(await confirm({ message, title: text.confirmTitle, accept: text.confirmAccept, danger: true }))) return null;
        given.push(...asked.map(({ oznaka }) => oznaka));
      }
    }
  };
}
