// The designer of one form: the tree of its fields beside the form as clinicians would see it, over a draft that is saved by itself.
import { Button } from 'primereact/button';
import { useState } from 'react';
import { useParams } from 'react-router';
import { at } from '../../../api/address';
import { api } from '../../../api/client';
import { useApi } from '../../../api/hooks';
import { t } from '../../../messages';
import { Page } from '../../../ui/Page';
import { Panel } from '../../../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../../../ui/states';
import { useToast } from '../../../ui/toast';
import { OtherFieldsContext, useOtherFields } from '../formula/otherFields';
import { formAddress, REGISTERS } from '../operation';
import { Designer } from './Designer';
import { Others } from './Others';
import style from './designer.module.css';
import { asDraft, type FormDraft, type OtherDrafts } from './model';

const text = t.formDesigner;

export default function FormDesignerScreen() {
  const { id } = useParams();
  return <Opened key={id} form={Number(id)} />;
}

function Opened({ form }: { form: number }) {
  const own = useApi(at('/api/forms/{id}', { id: form }), { revalidateOnFocus: false });
  const design = useApi(at('/api/forms/{id}/draft', { id: form }), {
    revalidateOnFocus: false,
    revalidateOnReconnect: false,
    revalidateIfStale: false,
  });
  // Another number is another draft on the screen: one that was just begun, taken over from others, or loaded anew.
  const [opened, setOpened] = useState<{ draft: FormDraft | null; instance: number } | null>(null);
  if (!opened && design.data && !design.isValidating) setOpened({ draft: design.data.nacrt && asDraft(design.data.nacrt), instance: 1 });
  const open = (draft: FormDraft | null) => setOpened((before) => ({ draft, instance: (before?.instance ?? 0) + 1 }));
  const naziv = own.data?.naziv ?? '';
  const failed = design.error ?? own.error;
  const crumbs = [
    { label: t.registerForms.registers, to: REGISTERS },
    { label: naziv || t.registerForms.form, to: formAddress(form) },
    { label: text.draft },
  ];
  const others = design.data?.drugi ?? [];
  const otherFields = useOtherFields(form);
  if (opened?.draft)
    return (
      <OtherFieldsContext value={otherFields}>
        <Designer
          key={opened.instance}
          form={form}
          naziv={naziv}
          crumbs={crumbs}
          draft={opened.draft}
          others={others}
          onOpen={open}
          reload={async () => {
            const draft = (await design.mutate())?.nacrt;
            open(draft ? asDraft(draft) : null);
          }}
        />
      </OtherFieldsContext>
    );
  return (
    <Page title={text.title(naziv)} breadcrumb={crumbs}>
      <Panel>
        {failed && !opened ? (
          <LoadFailed error={failed} retry={() => void Promise.all([design.mutate(), own.mutate()])} />
        ) : !opened ? (
          <Loading lines={8} />
        ) : (
          <Begin form={form} others={others} onBegin={open} />
        )}
      </Panel>
    </Page>
  );
}

function Begin({ form, others, onBegin }: { form: number; others: OtherDrafts; onBegin: (draft: FormDraft) => void }) {
  const [busy, setBusy] = useState(false);
  const toast = useToast();
  async function begin() {
    setBusy(true);
    try {
      onBegin(asDraft(await api.post(at('/api/forms/{id}/draft', { id: form }), {})));
    } catch (error) {
      toast.failure(text.beginFailed, error);
      setBusy(false);
    }
  }
  return (
    <div className={style.begin}>
      <EmptyState icon="pi-pencil" title={text.noDraft} />
      <p>{text.noDraftLead}</p>
      <Others others={others} />
      <Button label={text.begin} icon="pi pi-pencil" loading={busy} onClick={() => void begin()} />
    </div>
  );
}
