// Two lists: what can be had and what is held. A move is saved at once (B 4) and undone when the server refuses it.
import { Button } from 'primereact/button';
import { InputText } from 'primereact/inputtext';
import { ListBox } from 'primereact/listbox';
import { useState } from 'react';
import { contains } from '../fold';
import { t } from '../messages';
import { useToast } from '../ui/toast';
import style from './crud.module.css';

export interface TransferItem {
  id: number;
  label: string;
}

interface Props {
  available: readonly TransferItem[];
  chosen: readonly TransferItem[];
  availableTitle?: string;
  chosenTitle?: string;
  disabled?: boolean;
  /** The server sent the first ones only of what can be had: the others are found by their names. */
  cut?: { shown: number; total: number } | null;
  onSearch?: (text: string) => void;
  /** Save, then load both lists anew. */
  onAdd: (ids: number[]) => Promise<unknown>;
  onRemove: (ids: number[]) => Promise<unknown>;
}

export function TransferList({
  available,
  chosen,
  availableTitle = t.transfer.available,
  chosenTitle = t.transfer.chosen,
  disabled = false,
  cut = null,
  onSearch,
  onAdd,
  onRemove,
}: Props) {
  const [left, setLeft] = useState<number[]>([]);
  const [right, setRight] = useState<number[]>([]);
  const [busy, setBusy] = useState(false);
  const toast = useToast();
  const off = disabled || busy;

  async function move(ids: number[], save: (ids: number[]) => Promise<unknown>) {
    setBusy(true);
    try {
      await save(ids);
      setLeft([]);
      setRight([]);
    } catch (error) {
      toast.failure(t.transfer.failed, error);
    }
    setBusy(false);
  }

  const ids = (items: readonly TransferItem[]) => items.map(({ id }) => id);
  const button = (icon: string, text: string, from: number[], save: (ids: number[]) => Promise<unknown>, blocked = false) => (
    <Button
      type="button"
      icon={`pi ${icon}`}
      outlined
      aria-label={text}
      title={text}
      disabled={off || blocked || from.length === 0}
      onClick={() => void move(from, save)}
    />
  );
  return (
    <div className={style.transfer}>
      <Side title={availableTitle} items={available} cut={cut} onSearch={onSearch} marked={left} onMark={setLeft} disabled={off} />
      <div className={style.moves}>
        {button('pi-angle-right', t.transfer.add, left, onAdd)}
        {/* Those that are shown are not all of them. */}
        {button('pi-angle-double-right', t.transfer.addAll, ids(available), onAdd, cut !== null)}
        {button('pi-angle-left', t.transfer.remove, right, onRemove)}
        {button('pi-angle-double-left', t.transfer.removeAll, ids(chosen), onRemove)}
      </div>
      <Side title={chosenTitle} items={chosen} marked={right} onMark={setRight} disabled={off} />
    </div>
  );
}

interface SideProps extends Pick<Props, 'cut' | 'onSearch'> {
  title: string;
  items: readonly TransferItem[];
  marked: number[];
  onMark: (ids: number[]) => void;
  disabled: boolean;
}

function Side({ title, items, cut = null, onSearch, marked, onMark, disabled }: SideProps) {
  const [wanted, setWanted] = useState('');
  const found = items.filter(({ label }) => contains(label, wanted));
  return (
    <section className={style.side} aria-label={title}>
      <h3>
        {title} <span>{cut ? t.transfer.shownOf(items.length, cut.total) : items.length}</span>
      </h3>
      <InputText
        value={wanted}
        onChange={(e) => {
          setWanted(e.target.value);
          onSearch?.(e.target.value);
        }}
        aria-label={`${t.transfer.filter}: ${title}`}
        placeholder={t.transfer.filter}
      />
      <ListBox
        multiple
        metaKeySelection={false}
        value={marked}
        onChange={(e) => onMark((e.value as number[] | null) ?? [])}
        options={found.map(({ id, label }) => ({ value: id, label }))}
        emptyMessage={t.transfer.empty}
        disabled={disabled}
        className={style.box}
        pt={{ list: { 'aria-label': title }, emptyMessage: { role: 'option', 'aria-disabled': true, 'aria-selected': false } }}
      />
      {cut && <small role="status">{t.common.firstOnes(cut.shown, cut.total)}</small>}
    </section>
  );
}
