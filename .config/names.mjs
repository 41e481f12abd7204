// Holds names of types in Rust to plain nouns: a bare participle or pronoun says nothing of what it is of (`Kept`: which draft, which row?).
// Those that are there stand in names.baseline, which only gets shorter. Run by `./dev check`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { sources } from './crates.mjs';

const BASELINE = '.config/names.baseline';
const BARE = new Set(
  `Added Allowed Around Asked Brought Built Carried Changed Checked Chosen Claimed Closed Compiled Composed Computed Confirmed Copied Counted
   Cut Deed Deflated Delivered Described Done Drafted Drawn Due Ended Even Fate Filled Finished Fixed Found Framed Freed Given Gone Grouped
   Heard Held Hidden How Imported Joined Judged Kept Known Laid Leased Left Listed Loaded Looked Made Marked Matched Meant Measured Merged
   Missed Moved Named Numbered Offered Opened Ordered Outgrown Own Owned Parsed Parted Placed Plain Planned Poured Prepared Produced Proven
   Published Put Read Rebased Recomputed Refused Registered Removed Rendered Resembled Rest Restored Rewritten Said Saved Searched Seen Sent
   Settled Shown Sorted Split Stored Swept Synced Taken Ticked Told Touched Three Two Typed Unnamed Unread Unseen Unwritten Uploaded Used
   Wanted Weighed What Which Who Whom Whose Why Wish Written`.split(/\s+/),
);

const found = new Map();
for (const folder of sources) {
  for (const file of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.rs'))) {
    for (const [, name] of readFileSync(join(folder, file), 'utf8').matchAll(/\b(?:struct|enum|trait|union) (\w+)/g)) {
      if (BARE.has(name)) found.set(name, [...(found.get(name) ?? []), join(folder, file)]);
    }
  }
}
const allowed = new Map(
  readFileSync(BASELINE, 'utf8').trim().split('\n').map((line) => [line.split(' ')[0], Number(line.split(' ')[1])]),
);

let faults = 0;
for (const name of new Set([...found.keys(), ...allowed.keys()])) {
  const files = found.get(name) ?? [];
  const most = allowed.get(name) ?? 0;
  if (files.length === most) continue;
  faults += 1;
  if (files.length > most) console.error(`type ${name}: call it by a noun and what it is of (docs/contributing.md, Names); it is in ${files.join(', ')}`);
  else console.error(`type ${name}: ${BASELINE} allows ${most}, there are ${files.length}: write the smaller number there, or take the line out`);
}
process.exitCode = faults > 0 ? 1 : 0;
