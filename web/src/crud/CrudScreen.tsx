// A list and its dialog: what almost every administration screen is. A screen gives columns, an empty record, its
// validation and its fields; one that does not fit builds its own page on useCrud, CrudTable and CrudDialog.
import { Button } from 'primereact/button';
import { useState, type ReactNode } from 'react';
import type { Query } from '../api/address';
import type { ResourceOf } from '../api/description';
import { t } from '../messages';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { LoadFailed } from '../ui/states';
import { Bin, BinButton } from './Bin';
import { bindFields, type Fields, type Resource } from './bindFields';
import { CrudDialog, isEditable, type ExtraTab, type Mode } from './CrudDialog';
import { CrudTable, type CrudColumn } from './CrudTable';
import { useCrud, type Crud } from './useCrud';
import { useListing } from './useListing';
import { useForm, type Problem } from './useForm';
import style from './crud.module.css';

export interface CrudProps<T extends { id: number }, R extends Resource> {
  path: ResourceOf<T>;
  resource: R;
  title: string;
  /** One record, in the singular: the head of the dialog's title. */
  what: string;
  name: (record: T) => string;
  empty: T;
  columns: readonly (CrudColumn<T> | (keyof T & string))[];
  validate: (record: T, mode: Mode) => Problem<T> | null;
  fields: (field: Fields<T, R>, mode: Mode, record: T) => ReactNode;
  tabs?: (record: T, mode: Mode) => readonly ExtraTab[];
  /** Called with the record as the server has it now. */
  onSaved?: (record: T) => void;
  /** The dialog has closed, in whatever way. */
  onClose?: () => void;
  /** Narrows the list only. */
  narrow?: Query;
  /** More to do with the list, which `reload` loads anew. */
  tools?: (reload: () => void) => ReactNode;
  /** The worker may look and not touch. */
  readOnly?: boolean;
  /** Why this worker does not change or delete the record, if so. */
  why?: (record: T) => string | undefined;
  /** The dialog opens over the whole window. */
  maximized?: boolean;
  /** What is deleted is gone for good: there is nothing to bring back. */
  deletedForGood?: boolean;
  /** Narrows the list and is sent with a new record: `{ tipAtributa: 7 }`. */
  scope?: Record<string, string | number>;
}

export function CrudScreen<T extends { id: number }, R extends Resource>(props: CrudProps<T, R>) {
  return (
    <Page title={props.title}>
      <CrudList {...props} />
    </Page>
  );
}

/** The same without the page around it, for a tab of another dialog. */
export function CrudList<T extends { id: number }, R extends Resource>(props: CrudProps<T, R>) {
  const [selected, setSelected] = useState<T | null>(null);
  const [dialog, setDialog] = useState<{ mode: Mode; record: T } | null>(null);
  const [inBin, setInBin] = useState(false);
  const crud = useCrud<T>(props.path, props.scope);
  const listing = useListing<T>(props.path, { ...props.scope, ...props.narrow });
  const chosen = listing.rows.find(({ id }) => id === selected?.id) ?? null;
  const open = (mode: Mode) => (chosen ? setDialog({ mode, record: chosen }) : undefined);
  const close = () => {
    setDialog(null);
    props.onClose?.();
  };
  const needsRow = { disabled: !chosen, title: chosen ? undefined : t.crud.selectFirst };
  const why = chosen ? props.why?.(chosen) : undefined;
  const changes = why === undefined ? needsRow : { disabled: true, title: why };

  if (listing.error) return <LoadFailed error={listing.error} retry={listing.retry} />;
  if (inBin) return <Bin {...props} crud={crud} onBack={() => setInBin(false)} />;
  return (
    <Panel flush>
      <div className={style.toolbar}>
        {!props.readOnly && (
          <>
            <Button label={t.crud.create} icon="pi pi-plus" onClick={() => setDialog({ mode: 'create', record: props.empty })} />
            <Button label={t.crud.update} icon="pi pi-pencil" outlined onClick={() => open('update')} {...changes} />
          </>
        )}
        <Button label={t.crud.read} icon="pi pi-eye" outlined onClick={() => open('read')} {...needsRow} />
        {!props.readOnly && (
          <Button label={t.crud.remove} icon="pi pi-trash" outlined severity="danger" onClick={() => open('delete')} {...changes} />
        )}
        {!props.readOnly && !props.deletedForGood && <BinButton onClick={() => setInBin(true)} />}
        {!props.readOnly && props.tools?.(listing.retry)}
        {why !== undefined && (
          <p role="status" className={style.why}>
            {why}
          </p>
        )}
      </div>
      <CrudTable
        resource={props.resource}
        title={props.title}
        columns={props.columns}
        listing={listing}
        selected={chosen}
        onSelect={setSelected}
        onOpen={(record) => setDialog({ mode: 'read', record })}
      />
      {dialog && <RecordDialog {...props} {...dialog} crud={crud} onClose={close} />}
    </Panel>
  );
}

function RecordDialog<T extends { id: number }, R extends Resource>({
  mode,
  record,
  crud,
  onClose,
  onSaved,
  resource,
  what,
  name,
  validate,
  fields,
  tabs,
  maximized,
}: CrudProps<T, R> & { mode: Mode; record: T; crud: Crud<T>; onClose: () => void }) {
  const form = useForm(record, !isEditable(mode));
  const act = async ({ id, ...rest }: T) => {
    if (mode === 'delete') return crud.remove(id);
    const saved = await (mode === 'create' ? crud.create(rest) : crud.update(id, rest as unknown as Partial<T>));
    onSaved?.(saved);
  };
  return (
    <CrudDialog
      mode={mode}
      what={what}
      name={name}
      form={form}
      validate={(current) => validate(current, mode)}
      act={act}
      read={mode === 'update' ? () => crud.read(record.id) : undefined}
      onClose={onClose}
      tabs={tabs?.(record, mode)}
      maximized={maximized}
    >
      {fields(bindFields(form, resource), mode, form.record)}
    </CrudDialog>
  );
}
