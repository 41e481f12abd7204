// The visit plans of a register: what each says now, its versions, and the way to change it.
import { Button } from 'primereact/button';
import { Tag } from 'primereact/tag';
import { useState } from 'react';
import { at } from '../../../api/address';
import { api } from '../../../api/client';
import { useApi } from '../../../api/hooks';
import { formatDateTime } from '../../../format';
import { t } from '../../../messages';
import { useConfirm } from '../../../ui/confirm';
import { GuideButton } from '../../../ui/GuideButton';
import { EmptyState, Loading, LoadFailed } from '../../../ui/states';
import { useDeed } from '../../../ui/useDeed';
import type { PlanItem, VisitPlan } from './plan';
import { PlanEditor } from './PlanEditor';
import style from './plans.module.css';

const text = t.plans.admin;

/** `null`: none is edited; `new`: a new one. */
type Edited = VisitPlan | 'new' | null;

export function Plans({ register, mayChange }: { register: number; mayChange: boolean }) {
  const { data, error, mutate } = useApi(at('/api/registers/{id}/visit-plans', { id: register }), { revalidateOnFocus: false });
  const [edited, setEdited] = useState<Edited>(null);
  const reload = () => void mutate();
  if (error && !data) return <LoadFailed title={text.failed} error={error} retry={reload} />;
  if (!data) return <Loading lines={4} />;
  if (edited) {
    return (
      <PlanEditor
        register={register}
        plan={edited === 'new' ? null : edited}
        onClose={() => setEdited(null)}
        onSaved={() => {
          setEdited(null);
          reload();
        }}
      />
    );
  }
  return (
    <div className={style.plans}>
      {data.data.length === 0 && <EmptyState icon="pi-calendar" title={text.none} help={text.noneHelp} />}
      {data.data.map((plan) => (
        <PlanCard key={plan.id} plan={plan} mayChange={mayChange} edit={() => setEdited(plan)} reload={reload} />
      ))}
      <div className={style.actions}>
        {mayChange && <Button label={text.create} icon="pi pi-plus" onClick={() => setEdited('new')} />}
        <GuideButton page="registerPlans" />
      </div>
    </div>
  );
}

const offset = ({ sidro, pomeraj, jedinica, prozorPre, prozorPosle, ponavljaMeseci }: PlanItem): string =>
  [
    `${String(pomeraj)} ${text.units[jedinica]}, ${text.anchor.toLowerCase()} ${text.anchors[sidro]}`,
    `−${String(prozorPre)}/+${String(prozorPosle)}`,
    ponavljaMeseci && `${text.repeats}: ${String(ponavljaMeseci)}`,
  ]
    .filter(Boolean)
    .join('; ');

function PlanCard({ plan, mayChange, edit, reload }: { plan: VisitPlan; mayChange: boolean; edit: () => void; reload: () => void }) {
  const { busy, act } = useDeed(reload);
  const confirm = useConfirm();
  const makeDefault = () =>
    api.put(at('/api/visit-plans/{id}', { id: plan.id }), { naziv: plan.naziv, podrazumevani: !plan.podrazumevani, verzija: plan.verzija });
  async function remove() {
    if (!(await confirm({ message: t.crud.removeQuestion(plan.naziv), accept: t.crud.remove, danger: true }))) return;
    await act(() => api.delete(at('/api/visit-plans/{id}', { id: plan.id })), text.saveFailed);
  }
  return (
    <section className={style.plan} aria-label={plan.naziv}>
      <h3>
        {plan.naziv} {plan.podrazumevani && <Tag value={text.isDefault} severity="info" />}
      </h3>
      <p className={style.muted}>{text.patients(plan.pacijenata)}</p>
      <div className={style.table}>
        <table>
          <tbody>
            {plan.stavke.map((item) => (
              <tr key={item.sifra}>
                <th scope="row">{item.naziv}</th>
                <td>{offset(item)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul>
        {plan.verzije.map(({ broj, vreme, radnik, napomena, pacijenata }) => (
          <li key={broj} className={style.muted}>
            {text.version(broj)}: {text.published(formatDateTime(vreme), radnik)}
            {napomena && ` – ${napomena}`} ({text.patients(pacijenata)})
          </li>
        ))}
      </ul>
      {mayChange && (
        <div className={style.actions}>
          <Button label={text.edit} aria-label={`${text.edit}: ${plan.naziv}`} icon="pi pi-pencil" outlined size="small" onClick={edit} />
          {!plan.podrazumevani && (
            <Button
              label={text.isDefault}
              aria-label={`${text.isDefault}: ${plan.naziv}`}
              outlined
              severity="secondary"
              size="small"
              disabled={busy}
              onClick={() => void act(makeDefault, text.saveFailed)}
            />
          )}
          {plan.pacijenata === 0 && (
            <Button
              label={t.crud.remove}
              aria-label={`${t.crud.remove}: ${plan.naziv}`}
              outlined
              severity="danger"
              size="small"
              disabled={busy}
              onClick={() => void remove()}
            />
          )}
        </div>
      )}
    </section>
  );
}
