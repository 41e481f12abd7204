// The criteria of a search that its button asks for; the focus goes to the one at fault.
import { Button } from 'primereact/button';
import { useId, type ReactNode, type SyntheticEvent } from 'react';
import { t } from '../messages';
import { useFaultFocus } from './formFocus';
import style from './SearchForm.module.css';
import { useToast } from './toast';

interface Props {
  fault: unknown;
  onSearch: () => void;
  children: ReactNode;
}

export function SearchForm({ fault, onSearch, children }: Props) {
  const toast = useToast();
  const id = useId();
  useFaultFocus(id, fault);

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    toast.clear();
    onSearch();
  }

  return (
    <form id={id} className={style.search} onSubmit={submit} noValidate>
      {children}
      <Button type="submit" label={t.common.search} icon="pi pi-search" />
    </form>
  );
}
