// Recipients as chips: colleagues and groups are offered while a name is typed, and a typed address is taken too.
import { AutoComplete } from 'primereact/autocomplete';
import { useRef, useState, type KeyboardEvent } from 'react';
import type { Schema } from '../schema';
import { at } from '../api/address';
import { api } from '../api/client';
import { isMailableAddress } from '../mailAddress';
import { t } from '../messages';
import type { Control } from '../ui/Field';
import style from './reports.module.css';
import type { Recipient } from './types';

const text = t.reports.recipients;

export const recipientKey = (one: Recipient): string =>
  one.kind === 'address' ? one.address.toLowerCase() : `${one.kind} ${String(one.id)}`;
export const recipientName = (one: Recipient): string => (one.kind === 'address' ? one.address : one.gone ? text.gone(one.name) : one.name);

interface Props {
  control: Control;
  value: readonly Recipient[];
  change: (value: Recipient[]) => void;
  /** What is typed and neither chosen nor an address yet. */
  typing: (typed: string) => void;
  /** Where colleagues and groups are offered from. */
  from: '/api/report-recipients' | '/api/recipient-group-workers';
  disabled?: boolean;
}

interface Option {
  key: string;
  label: string;
  note: string;
  recipient: Recipient;
}

const optionOf = (recipient: Recipient, note = ''): Option => ({
  key: recipientKey(recipient),
  label: recipientName(recipient),
  note,
  recipient,
});

export function RecipientsInput({ control: { id, ...aria }, value, change, typing, from, disabled = false }: Props) {
  const [options, setOptions] = useState<Option[]>([]);
  const input = useRef<HTMLInputElement>(null);
  const chosen = new Set(value.map(recipientKey));

  const offer = async (typed: string) => {
    const known = new Set(value.map(recipientKey));
    const { radnici, grupe } = await api
      .get(at(from, { trazi: typed }))
      .catch((): Schema<'OfferedRecipients'> => ({ radnici: [], grupe: [] }));
    setOptions(
      [
        ...grupe.map(({ id, naziv, clanova }) => optionOf({ kind: 'group', id, name: naziv, gone: false }, text.members(clanova))),
        ...radnici.map(({ id, naziv, email }) => optionOf({ kind: 'worker', id, name: naziv, gone: false }, email)),
      ].filter(({ key }) => !known.has(key)),
    );
  };
  const put = (recipients: Recipient[]) => {
    const all = new Map(recipients.map((one) => [recipientKey(one), one]));
    change([...all.values()]);
    typing('');
  };
  /** Takes what is typed, where it is one address or several that were pasted. */
  const takeTyped = (): boolean => {
    const typed = (input.current?.value ?? '').split(/[\s,;]+/).filter(Boolean);
    if (typed.length === 0 || !typed.every(isMailableAddress)) return false;
    put([...value, ...typed.map((address): Recipient => ({ kind: 'address', address }))]);
    if (input.current) input.current.value = '';
    setOptions([]);
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== input.current || !['Enter', ',', ';'].includes(event.key)) return;
    const marked = event.key === 'Enter' && document.querySelector('.p-autocomplete-panel li[data-p-highlight="true"]');
    if (marked) return;
    // The Enter that ends an address must not send the form.
    if (takeTyped() || event.key === 'Enter') {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  return (
    <div
      role="presentation"
      className={style.recipientsInput}
      onKeyDownCapture={onKeyDown}
      onInput={() => typing(input.current?.value ?? '')}
      onBlur={() => void takeTyped()}
    >
      <AutoComplete
        {...aria}
        inputId={id}
        inputRef={input}
        multiple
        disabled={disabled}
        value={value.map((one) => optionOf(one))}
        suggestions={options.filter(({ key }) => !chosen.has(key))}
        field="label"
        minLength={1}
        delay={200}
        completeMethod={({ query }) => void offer(query)}
        itemTemplate={(option: Option) => (
          <span className={style.offered}>
            <i className={`pi ${option.recipient.kind === 'group' ? 'pi-users' : 'pi-user'}`} aria-hidden /> {option.label}
            <small>{option.note}</small>
          </span>
        )}
        onChange={({ value: next }: { value: (Option | string)[] | null }) =>
          put((next ?? []).flatMap((option) => (typeof option === 'string' ? [] : [option.recipient])))
        }
      />
    </div>
  );
}
