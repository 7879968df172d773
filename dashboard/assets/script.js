// The dashboard's script: passkeys, copying, forms and the keyboard. Pages work without it, but for passkeys.
'use strict';

const words = document.body.dataset;

async function post(path, body) {
  const answer = await fetch(path, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body || {}),
  });
  const value = await answer.json();
  if (!answer.ok) throw new Error(value.error);
  return value;
}

async function askAuthenticator(kind, { publicKey }) {
  if (kind === 'create') {
    return navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey) });
  }
  return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey) });
}

async function usePasskey(button) {
  const { passkey, options, finish, label, form } = button.dataset;
  const problem = document.querySelector('[data-passkey-problem]');
  problem.hidden = true;
  button.disabled = true;
  try {
    if (!window.PublicKeyCredential?.parseCreationOptionsFromJSON) throw new Error(words.passkeyUnsupported);
    const credential = await askAuthenticator(passkey, await post(options));
    const query = label ? '?label=' + encodeURIComponent(document.getElementById(label).value) : '';
    const done = await post(finish + query, credential); // as its toJSON says
    const confirmed = form && document.getElementById(form);
    if (!confirmed) location.assign(done.next);
    else if (confirmed.href) location.assign(confirmed.href);
    else HTMLFormElement.prototype.submit.call(confirmed); // even if a field is called submit
  } catch (error) {
    problem.textContent = error instanceof DOMException ? words.passkeyFailed : error.message;
    problem.hidden = false;
    button.disabled = false;
  }
}

document.querySelectorAll('[data-passkey]').forEach((button) => {
  button.addEventListener('click', () => usePasskey(button));
});

const offerCopy = (within) => within.querySelectorAll('[data-copy]').forEach((button) => {
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = words.copied;
    setTimeout(() => { button.textContent = label; }, 1500);
  });
});
offerCopy(document);

// What a note has become is announced: this region stays while the page around it is replaced.
const region = document.body.appendChild(document.createElement('p'));
region.className = 'announced';
region.setAttribute('role', 'status');
const announce = (text) => { region.textContent = text; };
const stateOf = (within) => within.querySelector('.title .state')?.lastChild.textContent.trim();

// The page of a moving note reloads, ever less often, while nobody types into it or reads details.
async function follow(pause) {
  if (!document.querySelector('[data-follow]')) return;
  await new Promise((done) => { setTimeout(done, pause); });
  const shown = document.getElementById('page'); // what is around it stays: a notice, and the focus on it
  if (!document.hidden && !shown.contains(document.activeElement) && !shown.querySelector('details[open]')) {
    try {
      const address = new URL(location.href);
      address.searchParams.set('poll', '1'); // which does not count as use of the session
      const answer = await fetch(address);
      if (answer.redirected) { // the session has ended
        location.reload();
        return;
      }
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      if (answer.ok && page.getElementById('page')) {
        const was = stateOf(shown);
        shown.innerHTML = page.getElementById('page').innerHTML;
        offerCopy(shown);
        if (stateOf(shown) !== was) announce(stateOf(shown));
      }
    } catch { /* the next attempt may succeed */ }
  }
  follow(Math.min(pause * 1.3, 15000));
}
follow(1000);

// A page with what is shown only once warns who leaves it before copying or saving that.
const askToStay = (event) => event.preventDefault();
const keeps = document.querySelectorAll('[data-kept]');
if (keeps.length) addEventListener('beforeunload', askToStay);
keeps.forEach((one) => one.addEventListener('click', () => removeEventListener('beforeunload', askToStay)));

// The menu is open without script; on small screens it begins closed.
const menu = document.querySelector('.menu');
if (menu && matchMedia('(max-width: 48rem)').matches) menu.open = false;

// The section that one is in is in view, where the column is longer than the screen.
const column = document.querySelector('.side');
const here = column?.querySelector('.sections [aria-current]');
if (here && here.offsetTop + here.offsetHeight > column.clientHeight) column.scrollTop = column.scrollHeight;

// What is wrong, or what was just done, is read first. A notice stays until it is closed.
(document.querySelector('.problems') ?? document.querySelector('main > .notice'))?.focus();
document.querySelectorAll('[data-close]').forEach((button) => {
  button.hidden = false;
  button.addEventListener('click', () => {
    button.parentElement.remove();
    document.getElementById('main').focus();
  });
});

// The organization changes as soon as another one is chosen.
document.getElementById('organization')?.addEventListener('change', ({ target }) => target.form.requestSubmit());

// A form that changes something is sent once. Its button says that it is under way, until the
// next page is there, which never comes where the answer is a file.
function settle(form) {
  delete form.dataset.pending;
  form.querySelectorAll('[aria-busy]').forEach((button) => button.removeAttribute('aria-busy'));
}
document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  if (event.defaultPrevented || form.method !== 'post') return;
  if (form.dataset.pending) {
    event.preventDefault();
    return;
  }
  form.dataset.pending = '1';
  submitter?.setAttribute('aria-busy', 'true');
  setTimeout(settle, 15000, form);
});
addEventListener('pageshow', ({ persisted }) => { // the browser shows a page again as it was left
  if (persisted) document.querySelectorAll('form[data-pending]').forEach(settle);
});

function nextRow(step) {
  const rows = [...document.querySelectorAll('a.row')];
  const at = rows.indexOf(document.activeElement);
  rows[Math.min(rows.length - 1, Math.max(0, at + step))]?.focus();
}

const help = () => document.getElementById('help').showModal();
document.querySelectorAll('[data-help]').forEach((button) => {
  button.hidden = false;
  button.addEventListener('click', help);
});

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, textarea')) return;
  const act = {
    '/': () => document.querySelector('input[type=search]')?.focus(),
    '?': help,
    j: () => nextRow(1),
    k: () => nextRow(-1),
  }[event.key];
  if (act) {
    event.preventDefault();
    act();
  }
});

// What is typed is written with its mask: CPF and CNPJ, CEP.
const masks = {
  cep: (text) => text.replace(/\D/g, '').replace(/^(\d{5})(\d{1,3}).*$/, '$1-$2'),
  'cpf-cnpj': (text) => {
    const id = text.replace(/[^0-9a-z]/gi, '').toUpperCase();
    if (id.length === 11 && /^\d+$/.test(id)) return id.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4');
    return id.length === 14 ? id.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5') : text;
  },
};
document.querySelectorAll('[data-mask]').forEach((input) => {
  const mask = masks[input.dataset.mask];
  if (mask) input.addEventListener('change', () => { input.value = mask(input.value); });
});

// The value of the chosen service, unless another was typed.
const service = document.querySelector('.issue select[name=service]');
service?.addEventListener('change', () => {
  const { form } = service;
  const [, before] = form.elements.filled.value.split('=');
  const { value, selectedOptions: [{ dataset: { amount } }] } = service;
  if (amount && ['', before].includes(form.elements.amount_cents.value.trim())) {
    form.elements.amount_cents.value = amount;
    form.elements.filled.value = `${value}=${amount}`;
  }
});

// The search of everything: Ctrl-K or its button opens a dialog that is filled by JSON of the search's page.
const palette = document.getElementById('palette');
if (palette) {
  const form = palette.querySelector('form');
  const input = palette.querySelector('input[name=q]');
  const list = palette.querySelector('[role=listbox]');
  const status = palette.querySelector('[role=status]');
  let asked = null; // what is under way
  let pause = 0;
  let go = false; // Enter was pressed before the answer: it goes to the first result

  const make = (name, attributes, text) => {
    const made = document.createElement(name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    if (text) made.textContent = text;
    return made;
  };
  const options = () => [...list.querySelectorAll('[role=option]')];
  const choose = (option) => {
    options().forEach((one) => one.setAttribute('aria-selected', String(one === option)));
    if (!option) {
      input.removeAttribute('aria-activedescendant');
      return;
    }
    input.setAttribute('aria-activedescendant', option.id);
    option.scrollIntoView({ block: 'nearest' });
  };
  const show = ({ groups, said }) => {
    let n = 0;
    list.replaceChildren(...groups.map((group, i) => {
      const part = make('div', { role: 'group', 'aria-labelledby': `palette-${i}` });
      part.append(make('div', { id: `palette-${i}`, class: 'palette-group', role: 'presentation' }, group.title));
      part.append(...group.results.map((result) => {
        const option = make('a', {
          role: 'option', id: `palette-option-${n += 1}`, href: result.url, tabindex: '-1', 'aria-selected': 'false',
        });
        option.append(make('span', {}, result.text));
        if (result.detail) option.append(make('span', { class: 'quiet' }, result.detail));
        return option;
      }));
      return part;
    }));
    input.setAttribute('aria-expanded', String(n > 0));
    status.textContent = n ? said : palette.dataset.none;
    choose(options()[0]);
    if (go) options()[0]?.click();
    go = false;
  };
  const ask = async () => {
    asked?.abort();
    asked = new AbortController();
    const { signal } = asked;
    try {
      const answer = await fetch(`${form.action}?${new URLSearchParams(new FormData(form))}`, {
        headers: { Accept: 'application/json' }, signal,
      });
      if (answer.status === 401) {
        location.reload(); // the session has ended
        return;
      }
      const found = await answer.json();
      if (signal.aborted) return;
      if (answer.ok) show(found);
      else status.textContent = found.error;
    } catch {
      if (!signal.aborted) status.textContent = palette.dataset.failed;
    }
  };
  const open = () => {
    if (palette.open || document.querySelector('dialog[open]')) return;
    palette.showModal(); // the browser gives the focus back when it is closed
    input.select();
    ask();
  };

  document.querySelector('.palette-open').addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // in another tab
    event.preventDefault();
    open();
  });
  document.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k') return;
    event.preventDefault();
    open();
  });
  palette.querySelector('.palette-close').addEventListener('click', () => palette.close());
  palette.addEventListener('click', (event) => { if (event.target === palette) palette.close(); }); // beside it
  palette.addEventListener('close', () => asked?.abort());
  input.addEventListener('input', () => {
    clearTimeout(pause);
    asked?.abort(); // an answer to less would be in the way
    choose(null);
    go = false;
    pause = setTimeout(ask, 150);
  });
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const all = options();
    if (step && all.length) {
      event.preventDefault();
      const at = all.findIndex((one) => one.getAttribute('aria-selected') === 'true');
      choose(all[(at + step + all.length) % all.length]);
    }
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const chosen = list.querySelector('[aria-selected=true]');
    if (chosen) chosen.click();
    else go = true;
  });
}

// The numbers of a plot's day are shown and announced where the pointer is, and by the arrow keys.
document.querySelectorAll('[data-plot]').forEach((plot) => {
  const [drawn, status] = [plot.querySelector('svg'), plot.querySelector('[role=status]')];
  const days = [...drawn.querySelectorAll('.of-day')];
  let at = days.length - 1;
  const say = (i) => {
    at = i;
    days.forEach((day, n) => day.classList.toggle('current', n === i));
    status.textContent = days[i].querySelector('title').textContent;
  };
  status.hidden = false;
  status.textContent = '\u00a0'; // its line stays, so that nothing moves
  drawn.setAttribute('tabindex', '0');
  days.forEach((day, i) => day.addEventListener('pointerenter', () => say(i)));
  drawn.addEventListener('focus', () => say(at));
  drawn.addEventListener('blur', () => days.forEach((day) => day.classList.remove('current')));
  drawn.addEventListener('keydown', (event) => {
    const last = days.length - 1;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    say(Math.min(last, Math.max(0, to)));
  });
});
