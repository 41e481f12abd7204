// Groups of recipients: workers and addresses to which reports are mailed under one name.
import type { Schema } from '../schema';
import type { RecipientGroupRow } from '../api/types';
import { CrudScreen } from '../crud/CrudScreen';
import { firstMissing, type EditedRecord } from '../crud/useForm';
import { t } from '../messages';
import { RecipientsInput } from '../reports/RecipientsInput';
import type { Recipient } from '../reports/types';
import type { Control } from '../ui/Field';

const text = t.admin.recipientGroups;
const EMPTY: RecipientGroupRow = { id: 0, naziv: '', ustanovaID: null, radnici: [], emails: [], imena: [] };

export default function RecipientGroupsScreen() {
  return (
    <CrudScreen<RecipientGroupRow, 'recipientGroup'>
      path="/api/recipient-groups"
      resource="recipientGroup"
      title={text.title}
      what={text.what}
      name={({ naziv }) => naziv}
      empty={EMPTY}
      columns={[
        'naziv',
        { field: 'ustanovaNaziv', body: ({ ustanovaNaziv }) => ustanovaNaziv ?? text.all },
        { field: 'imena', body: ({ imena, emails }) => [...(imena ?? []), ...emails].join(', ') },
      ]}
      validate={(group) =>
        firstMissing(group, [['naziv', text.missingNaziv]]) ??
        (group.radnici.length + group.emails.length === 0 ? { field: 'emails', message: text.missingMembers } : null)
      }
      fields={(field) => (
        <>
          {field.text('naziv', { required: true, maxLength: 200 })}
          {field.found<Schema<'Institution'>>(
            'ustanovaID',
            { path: '/api/institutions', name: ({ naziv }) => naziv },
            { help: text.institutionHelp },
          )}
          {field.custom('emails', { required: true, help: text.membersHelp }, (control, form) => (
            <Members control={control} form={form} />
          ))}
        </>
      )}
    />
  );
}

interface MembersProps {
  control: Control;
  form: EditedRecord<RecipientGroupRow>;
}

/** Workers and addresses in one field. */
function Members({ control, form: { record, set, disabled } }: MembersProps) {
  const workers = record.radnici.map((id, at): Recipient => ({ kind: 'worker', id, name: record.imena?.[at] ?? '', gone: false }));
  const addresses = record.emails.map((address): Recipient => ({ kind: 'address', address }));
  return (
    <RecipientsInput
      control={control}
      from="/api/recipient-group-workers"
      value={[...workers, ...addresses]}
      disabled={disabled}
      typing={() => undefined}
      change={(value) => {
        const chosen = value.flatMap((one) => (one.kind === 'worker' ? [one] : []));
        set(
          'radnici',
          chosen.map(({ id }) => id),
        );
        set(
          'imena',
          chosen.map(({ name }) => name),
        );
        set(
          'emails',
          value.flatMap((one) => (one.kind === 'address' ? [one.address] : [])),
        );
      }}
    />
  );
}
