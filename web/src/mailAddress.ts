// The server's two rules of mail addresses: a patient's is only written down, to the other one reports are mailed.

const LONGEST = 254;
// Letters of any script; nothing that could end a line or name a second person. `\s` is not what the server calls a space.
const WRITTEN_PART = '[^\\p{White_Space}\\p{Cc}@,;:<>()[\\]\\\\"]';
const WRITTEN = new RegExp(`^${WRITTEN_PART}+@${WRITTEN_PART}+$`, 'u');

/** Whether it may stand in a patient's record, as `is_email` in `domain/src/text.rs` has it. */
export function isWrittenAddress(text: string): boolean {
  const labels = text.slice(text.indexOf('@') + 1).split('.');
  return WRITTEN.test(text) && labels.length > 1 && labels.every(Boolean) && new TextEncoder().encode(text).length <= LONGEST;
}

const ATOM = /^[a-z0-9!#$%&'*+\-/=?^_`{|}~]+$/i;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/i;

/** A domain of other letters by its name in ASCII; blank where it is none, or is one of letters that only look like others. */
function asciiDomain(domain: string): string {
  if (/^[\x20-\x7e]*$/.test(domain)) return domain;
  const plain = domain.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(plain) || /(^|\.)-|-(\.|$)/.test(plain) || plain.normalize('NFKC').toLowerCase() !== plain) return '';
  return URL.canParse(`http://${plain}`) ? new URL(`http://${plain}`).hostname : '';
}

/** Whether a report may be mailed to it, as `is_address` in `domain/src/mail_address.rs` has it. */
export function isMailableAddress(text: string): boolean {
  const [local = '', written = '', more] = text.split('@');
  const domain = asciiDomain(written);
  const labels = domain.split('.');
  return (
    more === undefined &&
    local.length + 1 + domain.length <= LONGEST &&
    local.length <= 64 &&
    local.split('.').every((part) => ATOM.test(part)) &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    /[a-z]/i.test(labels.at(-1) ?? '')
  );
}
