// The worker's current institution; a menu where there is more than one to choose from.
import { useSWRConfig } from 'swr';
import { api } from '../api/client';
import { useList } from '../api/hooks';
import type { Institution, SignedInWorker } from '../api/types';
import { session } from '../auth/session';
import { t } from '../messages';
import { useToast } from '../ui/toast';
import { Disclosure } from './Disclosure';
import style from './TopBar.module.css';

export function InstitutionSwitch({ worker }: { worker: SignedInWorker }) {
  const { data } = useList<Institution>('/api/institutions', { radnik: worker.id });
  const { mutate } = useSWRConfig();
  const toast = useToast();
  const institutions = data?.data ?? [];
  const name = worker.ustanovaNaziv ?? t.common.none;

  async function choose({ id, naziv }: Institution) {
    try {
      await api.patch(`/api/workers/${worker.id}`, { ustanovaID: id });
      session.update({ ustanovaID: id, ustanovaNaziv: naziv });
      toast.success(t.shell.institutionChanged(naziv));
      // What is shown depends on the institution: ask for all of it again. The search has it in its key and asks by itself.
      await mutate((key) => typeof key === 'string');
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
