// One resource on the server: the writes after which whatever lists it is loaded again.
import { createElement } from 'react';
import { useSWRConfig } from 'swr';
import { useConfirm } from '../ui/confirm';
import { t } from '../messages';
import type { Query } from '../api/address';
import { ApiError, records } from '../api/client';
import type { ResourceOf } from '../api/description';
import { ImpactMessage } from './ImpactMessage';
import { payload } from './useForm';

/** The numbers that a worker was told, and that the server wants to hear back. */
interface Told {
  potvrdjenoRezultata?: number;
  potvrdjenoZakazivanja?: number;
}

/** What must be asked before the same call is sent again, with what was told. */
const questionOf = (error: unknown) => {
  if (!(error instanceof ApiError && error.status === 409)) return null;
  const { uticaj, zavrsava } = error.answer ?? {};
  if (uticaj) {
    const told: Told = { potvrdjenoRezultata: uticaj.rezultata };
    const message = createElement(ImpactMessage, { message: `${error.message} ${t.crud.impactHelp}`, impact: uticaj });
    return { told, title: t.crud.impactTitle, message, accept: t.crud.impactAccept };
  }
  if (zavrsava) {
    const told: Told = { potvrdjenoZakazivanja: zavrsava.zakazivanja };
    return { told, title: t.crud.endingTitle, message: error.message, accept: t.crud.endingAccept };
  }
  return null;
};

/** Loads again whatever shows records of the resource: other screens show the same under other addresses. */
export function useReload(path: string): () => Promise<unknown> {
  const { mutate } = useSWRConfig();
  return () => mutate((key) => typeof key === 'string' && (key === path || key.startsWith(`${path}?`) || key.startsWith(`${path}/`)));
}

export function useCrud<T extends { id: number }>(path: ResourceOf<T>, scope: Query = {}) {
  const calls = records<T>(path);
  const reload = useReload(path);
  const confirm = useConfirm();
  const then = async <V>(write: Promise<V>): Promise<V> => {
    try {
      const answer = await write;
      await reload();
      return answer;
    } catch (error) {
      // Somebody else was faster: what is opened next is the record as it is now.
      if (error instanceof ApiError && (error.status === 404 || error.status === 409)) void reload();
      throw error;
    }
  };
  /** A change that makes stored results others, or ends schedules, is told how many, and done once the worker says that it shall be. */
  const confirmed = async <V>(send: (told: Told) => Promise<V>): Promise<V> => {
    let told: Told = {};
    for (;;) {
      try {
        return await send(told);
      } catch (error) {
        const question = questionOf(error);
        if (!question) throw error;
        const { title, message, accept } = question;
        if (!(await confirm({ title, message, accept, danger: true }))) throw error;
        told = question.told;
      }
    }
  };
  return {
    create: (record: Omit<T, 'id'>) => then(confirmed((told) => calls.create({ ...scope, ...payload(record), ...told }))),
    /** One record as it is stored now. */
    read: calls.read,
    /** The record as it was loaded, with its `verzija`: the server refuses to overwrite somebody else's change. */
    update: (id: number, record: Partial<T>) => then(confirmed((told) => calls.update(id, { ...payload(record), ...told }))),
    /** Brings back what was deleted softly. */
    restore: (id: number, verzija: number | undefined) =>
      then(confirmed((told) => calls.update(id, { aktivan: true, ...(verzija === undefined ? {} : { verzija }), ...told }))),
    /** Soft or for good, as the resource has it (B 4). */
    remove: (id: number) =>
      then(
        confirmed<unknown>(({ potvrdjenoZakazivanja }) =>
          potvrdjenoZakazivanja === undefined ? calls.remove(id) : calls.update(id, { aktivan: false, potvrdjenoZakazivanja }),
        ),
      ),
  };
}

export type Crud<T extends { id: number }> = ReturnType<typeof useCrud<T>>;
