// The worker's current institution; a menu where there is more than one to choose from.
import { useSWRConfig } from 'swr';
import { at } from '../api/address';
import { api } from '../api/client';
import type { Schema } from '../schema';
import { useList } from '../api/hooks';
import type { SignedInWorker } from '../api/types';
import { session } from '../api/session';
import { t } from '../messages';
import { handOver } from '../drafts/draftStorage';
import { useConfirm } from '../ui/confirm';
import { isAnythingUnsaved } from '../ui/leaving';
import { useToast } from '../ui/toast';
import { Disclosure } from './Disclosure';
import style from './TopBar.module.css';

/** What the frame of all screens asks for; the rest is the screens'. */
const OF_SHELL = /^\/api\/(session|application|institutions|sponsors|warning)\b/;

export function InstitutionSwitch({ worker }: { worker: SignedInWorker }) {
  const { data } = useList('/api/institutions', { radnik: worker.id });
  const { mutate } = useSWRConfig();
  const toast = useToast();
  const confirm = useConfirm();
  const institutions = data?.data ?? [];
  const name = worker.ustanovaNaziv ?? t.common.none;

  async function choose({ id, naziv }: Schema<'Institution'>) {
    if (isAnythingUnsaved()) {
      if (!(await confirm({ message: t.shell.unsavedSwitch(naziv), accept: t.shell.changeInstitution }))) return;
      // While this institution still may: the drafts wait on the server for the return to it.
      await handOver().catch(() => undefined);
    }
    try {
      await api.patch(at('/api/workers/{id}', { id: worker.id }), { ustanovaID: id });
      // Nothing of the other institution's patients stays in memory; the screen itself is drawn anew (Shell).
      const fresh = mutate((key) => typeof key === 'string' && !OF_SHELL.test(key), undefined, { revalidate: true });
      session.update({ ustanovaID: id, ustanovaNaziv: naziv });
      toast.success(t.shell.institutionChanged(naziv));
      await Promise.allSettled([fresh, mutate((key) => typeof key === 'string' && OF_SHELL.test(key))]);
    } catch (error) {
      toast.failure(t.shell.institutionFailed, error);
    }
  }

  const shown = (
    <>
      <span className="pi pi-building" aria-hidden />
      <span className={style.institution}>{name}</span>
    </>
  );
  if (!institutions.some(({ id }) => id !== worker.ustanovaID)) {
    return worker.ustanovaNaziv ? (
      <span className={style.item} title={`${t.shell.institution}: ${name}`}>
        {shown}
      </span>
    ) : null;
  }
  return (
    <Disclosure button={shown} label={`${t.shell.changeInstitution}: ${name}`} right>
      <ul className={style.links}>
        {institutions.map((institution) => {
          const current = institution.id === worker.ustanovaID;
          return (
            <li key={institution.id}>
              <button type="button" aria-current={current} onClick={() => (current ? undefined : void choose(institution))}>
                <span className={`pi ${current ? 'pi-check' : ''}`} aria-hidden />
                {institution.naziv}
              </button>
            </li>
          );
        })}
      </ul>
    </Disclosure>
  );
}
