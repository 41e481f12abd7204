// A register or a form that is open on a page of its own. It is not read again while it is: what is typed stays.
import type { ReactNode } from 'react';
import type { ResourceOf } from '../../api/description';
import { useRecord } from '../../api/hooks';
import { Panel } from '../../ui/Panel';
import { Loading, LoadFailed } from '../../ui/states';

interface Answer<T> {
  data: T | undefined;
  error: unknown;
  retry: () => void;
}

export function useOpened<T>(path: ResourceOf<T>, id: string | undefined): Answer<T> {
  const { data, error, mutate } = useRecord<T>(path, id || null, { revalidateOnFocus: false, revalidateOnReconnect: false });
  return { data, error, retry: () => void mutate() };
}

interface Props<T> extends Omit<Answer<T>, 'data'> {
  record: T | undefined;
  children: (record: T) => ReactNode;
}

export function Opened<T>({ record, error, retry, children }: Props<T>) {
  return <Panel flush>{record ? children(record) : error ? <LoadFailed error={error} retry={retry} /> : <Loading lines={8} />}</Panel>;
}
