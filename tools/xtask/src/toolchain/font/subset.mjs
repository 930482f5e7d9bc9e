// Writes the part of a font that the page needs, as woff2. Runs in the folder of the packages. Arguments:
// the font, the output, the characters.
import {readFile, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';

const [input, output, letters] = process.argv.slice(2);
const {resolve} = createRequire(import.meta.url);
const {default: {compress, decompress}} = await import('wawoff2');

// Constants of hb-subset.h and hb-blob.h.
const DROP_HINTING = 1;
const LAYOUT_FEATURES = 6;
const WRITABLE = 2;

// Kerning, and figures of equal width.
const FEATURES = ['kern', 'tnum'];
// The weights of the page.
const LIGHTEST = 400;
const BOLDEST = 700;

const wasm = await readFile(resolve('harfbuzzjs/hb-subset.wasm'));
const {instance: {exports: hb}} = await WebAssembly.instantiate(wasm);
const tag = (name) => [...name].reduce((code, letter) => code * 256 + letter.charCodeAt(0), 0);

const font = await decompress(await readFile(`node_modules/${input}`));
const start = hb.malloc(font.byteLength);
new Uint8Array(hb.memory.buffer).set(font, start);
const face = hb.hb_face_create(hb.hb_blob_create(start, font.byteLength, WRITABLE, 0, 0), 0);

const plan = hb.hb_subset_input_create_or_fail();
const characters = hb.hb_subset_input_unicode_set(plan);
for (const letter of letters) hb.hb_set_add(characters, letter.codePointAt(0));
const features = hb.hb_subset_input_set(plan, LAYOUT_FEATURES);
hb.hb_set_clear(features);
for (const feature of FEATURES) hb.hb_set_add(features, tag(feature));
hb.hb_subset_input_set_flags(plan, DROP_HINTING);
hb.hb_subset_input_set_axis_range(plan, face, tag('wght'), LIGHTEST, BOLDEST, NaN);

const subset = hb.hb_subset_or_fail(face, plan);
if (!subset) throw new Error('HarfBuzz rejects the font');
const blob = hb.hb_face_reference_blob(subset);
const from = hb.hb_blob_get_data(blob, 0);
const bytes = Buffer.from(hb.memory.buffer.slice(from, from + hb.hb_blob_get_length(blob)));
await writeFile(output, await compress(bytes));
