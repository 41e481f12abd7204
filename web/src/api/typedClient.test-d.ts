// What must not compile: each mistake of a call that used to pass. `tsc` reads this file and refuses it when one of them passes again.
import { at } from './address';
import { api, records } from './client';
import type { RecordOf } from './description';
import type { Reply } from '../schema';
import { useApi, useList, useRecords } from './hooks';

export const calls = [
  // A path that the API does not have.
  // @ts-expect-error -- `registries`
  () => api.get('/api/registries'),
  // @ts-expect-error -- `formes`
  () => at('/api/formes/{id}', { id: 1 }),
  // @ts-expect-error -- a text that is no address
  (path: string) => api.get(path),
  // @ts-expect-error -- its parameters are missing
  () => api.get('/api/forms/{id}'),
  // @ts-expect-error -- there is such a path, but it is not written to so
  () => api.put('/api/warning', {}),

  // A parameter of the path or of the query.
  // @ts-expect-error -- `form` for `id`
  () => at('/api/forms/{id}', { form: 1 }),
  // @ts-expect-error -- `registar` for `registarID`
  () => at('/api/patients/{id}/entries', { id: 1, registar: 2 }),
  // @ts-expect-error -- a text for a number
  () => at('/api/patients/{id}/entries', { id: 1, registarID: 'dva' }),
  // @ts-expect-error -- a query that must be there
  () => at('/api/report-calendar', { od: '2026-01-01' }),
  // @ts-expect-error -- `registarID` for `registar`
  () => useList('/api/forms', { registarID: 2 }),

  // A key of the body.
  // @ts-expect-error -- `poruka` for `message`
  () => api.post('/api/save-warning', { poruka: '' }),
  // @ts-expect-error -- `imeFajla` is missing
  () => api.post('/api/definition-checks', { sadrzaj: '' }),
  // @ts-expect-error -- a text for a number
  () => api.patch(at('/api/workers/{id}', { id: 1 }), { ustanovaID: 'jedan' }),
  // @ts-expect-error -- this call has no body
  () => api.post('/api/delete-warning', { message: '' }),

  // The type of the reply.
  // @ts-expect-error -- `poruka` for `message`
  async () => (await api.get('/api/warning')).poruka === '',
  // @ts-expect-error -- a record for another
  async (): Promise<Reply<'Register'>> => api.get(at('/api/forms/{id}', { id: 1 })),
  // @ts-expect-error -- a number for a text
  async (): Promise<string> => (await api.post('/api/entry-prints', { unosID: 1, kljuc: '' })).stampaID.length,
  // @ts-expect-error -- `nazivi` for `naziv`
  () => useApi(at('/api/registers/{id}', { id: 1 })).data?.nazivi === '',
  // @ts-expect-error -- a list of other records
  () => useRecords<Reply<'Register'>>('/api/roles'),
  // @ts-expect-error -- the records of another resource
  () => records<RecordOf<'/api/roles'>>('/api/registers'),
];

/** And what does. */
export const right = [
  () => api.get('/api/registers'),
  () => api.get(at('/api/registers', { size: 2, aktivan: null })),
  () => useList('/api/forms', { registar: 2 }),
  () => useRecords<Reply<'Register'>>('/api/registers'),
  () => records<RecordOf<'/api/roles'>>('/api/roles'),
  async (): Promise<Reply<'Form'>> => api.get(at('/api/forms/{id}', { id: 1 })),
];
