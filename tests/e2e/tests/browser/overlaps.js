// Opens scenarios one after another, and looks for labels without room. Arguments: the scenarios with
// `link` and `name`, the screens after the first one, and of how many scenarios the screens are checked.
const [scenarios, screens, every] = arguments;
const ELLIPSIS = '\u2026';
const ready = {
  'what-if': 'what-if-headline',
  trace: 'trace-headline',
  timeline: 'timeline-headline',
};

const one = (test) => document.querySelector(`[data-test="${test}"]`);
const frame = () => new Promise((done) => requestAnimationFrame(() => done()));
const isShown = (element) => element.checkVisibility({visibilityProperty: true, opacityProperty: true});

async function until(what, is) {
  for (let tries = 0; tries < 1200; tries += 1) {
    if (is()) {
      await frame();
      await frame();
      return;
    }
    await frame();
  }
  throw new Error(`not shown: ${what}`);
}

function wide(faults) {
  const root = document.scrollingElement;
  if (root.scrollWidth <= root.clientWidth) return;
  const inside = '.scroll, pre, .excerpt, .screens';
  const out = [...document.querySelectorAll('body *')].filter((element) => isShown(element)
    && !element.closest(inside) && element.getBoundingClientRect().right > root.clientWidth + 1);
  const names = out.slice(0, 4).map((element) => `${element.tagName}.${element.getAttribute('class')}`);
  faults.push(`the page is ${root.scrollWidth} wide: ${names}`);
}

// A box without the room that a line of text has above and below its letters.
function letters(text) {
  const box = text.getBoundingClientRect();
  const room = box.height * 0.2;
  return {left: box.left + 0.5, right: box.right - 0.5, top: box.top + room, bottom: box.bottom - room};
}

function labels(faults) {
  for (const svg of document.querySelectorAll('svg')) {
    if (!isShown(svg)) continue;
    const picture = svg.getBoundingClientRect();
    const seen = [];
    for (const text of svg.querySelectorAll('text')) {
      const words = text.textContent.trim();
      if (!words || !isShown(text) || !text.getBoundingClientRect().width) continue;
      const box = letters(text);
      const isInside = box.left >= picture.left - 1 && box.right <= picture.right + 1
        && box.top >= picture.top - 1 && box.bottom <= picture.bottom + 1;
      if (!isInside) faults.push(`outside of its figure: ${words}`);
      for (const other of seen) {
        const meets = box.left < other.right && other.left < box.right
          && box.top < other.bottom && other.top < box.bottom;
        if (meets) faults.push(`labels overlap: ${words} | ${other.words}`);
      }
      seen.push({...box, words});
      const title = text.closest('g')?.querySelector(':scope > title');
      if (words.includes(ELLIPSIS) && !title) faults.push(`shortened without a title: ${words}`);
    }
  }
}

function texts(faults) {
  for (const element of document.querySelectorAll('body *:not(svg *)')) {
    if (element.closest('.hidden, .skip, script, noscript, option, pre') || !isShown(element)) continue;
    const parts = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    const words = parts.map((node) => node.data).join('').trim();
    if (!words) continue;
    const titled = element.closest('[title]');
    // A message such as "Loading" ends with an ellipsis after a word.
    const isShort = words.includes(ELLIPSIS) && !/^[A-Z]\w+\u2026$/.test(words);
    if (isShort && !titled && !element.closest('code, textarea')) faults.push(`shortened without a title: ${words}`);
    const style = getComputedStyle(element);
    if (element.scrollWidth <= element.clientWidth + 1 || element.clientWidth === 0) continue;
    const isCut = style.overflowX === 'hidden' || style.overflowX === 'clip';
    if (isCut && !(style.textOverflow === 'ellipsis' && titled)) faults.push(`cut: ${words}`);
    if (style.overflowX === 'visible' && style.display !== 'inline') faults.push(`beyond its box: ${words}`);
  }
}

function check(where, faults) {
  const found = [];
  wide(found);
  labels(found);
  texts(found);
  faults.push(...[...new Set(found)].map((fault) => `${where}: ${fault.slice(0, 160)}`));
}

return (async () => {
  const faults = [];
  for (const [at, scenario] of scenarios.entries()) {
    location.hash = scenario.link;
    const isOpen = () => {
      // A scenario with much work is computed after a click.
      one('compute-anyway')?.click();
      return document.querySelector('.eyebrow')?.textContent.includes(scenario.name);
    };
    await until(`scenario ${scenario.number}`, () => isOpen() && one('headline'));
    const where = `scenario ${scenario.number}`;
    check(`${where}, build`, faults);
    if (at % every !== 0) continue;
    for (const screen of screens) {
      one(`screen-${screen === 'timeline' ? 'what-if' : screen}`).click();
      if (screen === 'timeline') {
        await until('the parts', () => one('part-timeline'));
        one('part-timeline').click();
      }
      // A part of a screen can be a module of its own.
      await until(screen, () => one(ready[screen]) && !one('module-message'));
      check(`${where}, ${screen}`, faults);
    }
    one('screen-build').click();
  }
  return faults;
})();
