// The folders of our Rust sources: `src` of each member of the workspace.
import { readFileSync } from 'node:fs';

const [, members] = readFileSync('Cargo.toml', 'utf8').match(/^members = \[([^\]]*)\]/m);
export const sources = [...members.matchAll(/"([^"]+)"/g)].map(([, member]) => `${member}/src`);
