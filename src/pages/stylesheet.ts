/** Marks a text as a stylesheet, for editors and formatters. */
const css = String.raw;

/** All styles of all pages. Colours are checked for contrast (WCAG AA) in both schemes. */
export const STYLESHEET = css`
  :root {
    color-scheme: light dark;
    --paper: #faf9f6;
    --card: #ffffff;
    --sunk: #f1efe9;
    --line: #e0dcd2;
    --ink: #20262a;
    --quiet: #5a6268;
    --accent: #14605a;
    --accent-ink: #ffffff;
    --tint: #e3efec;
    --tint-ink: #0e4b46;
    --warm: #8a4b08;
    --warm-tint: #fbeedb;
    --alert: #a3262a;
    --shadow: 0 1px 2px rgb(32 38 42 / 6%), 0 6px 20px rgb(32 38 42 / 5%);
    --sans: Inter, ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Hiragino Sans', sans-serif;
    --serif: 'Iowan Old Style', Charter, 'Palatino Linotype', P052, Georgia, 'Hiragino Mincho ProN', serif;
    --round: 10px;
  }

  @media (prefers-color-scheme: dark) {
    :root {
      --paper: #14181a;
      --card: #1c2225;
      --sunk: #101315;
      --line: #31393d;
      --ink: #e7e5df;
      --quiet: #a3abae;
      --accent: #7fcabf;
      --accent-ink: #0c1f1d;
      --tint: #1d3a37;
      --tint-ink: #aee3da;
      --warm: #f0bd7b;
      --warm-tint: #3a2c18;
      --alert: #ff9d97;
      --shadow: 0 1px 2px rgb(0 0 0 / 40%);
    }
  }

  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }

  html {
    -webkit-text-size-adjust: 100%;
    text-size-adjust: 100%;
    scroll-behavior: smooth;
  }

  body {
    margin: 0;
    min-height: 100vh;
    display: flex;
    flex-direction: column;
    background: var(--paper);
    color: var(--ink);
    font: 1rem/1.6 var(--sans);
    font-feature-settings: 'cv05', 'ss03';
  }

  main {
    flex: 1;
    padding-block: 2rem 4rem;
  }

  .wrap {
    width: 100%;
    max-width: 72rem;
    margin-inline: auto;
    padding-inline: clamp(1rem, 4vw, 2rem);
  }

  .narrow {
    max-width: 34rem;
  }

  h1,
  h2,
  h3 {
    font-family: var(--serif);
    font-weight: 600;
    line-height: 1.2;
    margin: 0;
    text-wrap: balance;
    overflow-wrap: anywhere;
  }

  h1 {
    font-size: clamp(1.9rem, 1.4rem + 2.2vw, 2.9rem);
    letter-spacing: -0.01em;
  }

  p {
    margin: 0 0 1rem;
  }

  a {
    color: var(--accent);
    text-decoration-thickness: 0.06em;
    text-underline-offset: 0.18em;
  }

  a:hover {
    text-decoration-thickness: 0.12em;
  }

  :focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
    border-radius: 4px;
  }

  img {
    max-width: 100%;
    height: auto;
  }

  abbr[title] {
    text-decoration: none;
  }

  ul,
  ol,
  dl {
    margin: 0;
    padding: 0;
  }

  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  .skip {
    position: absolute;
    inset-inline-start: 1rem;
    inset-block-start: -6rem;
    z-index: 2;
    padding: 0.6rem 1rem;
    background: var(--accent);
    color: var(--accent-ink);
    border-radius: 0 0 var(--round) var(--round);
  }

  .skip:focus {
    inset-block-start: 0;
  }

  .quiet {
    color: var(--quiet);
  }

  .line {
    display: block;
  }

  .icon {
    flex: none;
    width: 1.15em;
    height: 1.15em;
    vertical-align: -0.2em;
    fill: none;
    stroke: currentcolor;
    stroke-width: 1.7;
    stroke-linecap: round;
    stroke-linejoin: round;
  }

  /* Frame */

  header.site {
    background: var(--card);
    border-block-end: 1px solid var(--line);
  }

  header.site .wrap {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.25rem 1.5rem;
    min-height: 4rem;
    padding-block: 0.5rem;
  }

  .brand {
    margin: 0;
    font: 600 1.25rem/1.3 var(--serif);
  }

  .brand a,
  header.site nav a {
    color: inherit;
    text-decoration: none;
  }

  header.site ul,
  footer.site ul {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1.5rem;
    list-style: none;
  }

  header.site nav a {
    display: inline-block;
    padding-block: 0.5rem;
    border-block-end: 2px solid transparent;
  }

  header.site nav a:hover {
    border-color: var(--accent);
  }

  footer.site {
    border-block-start: 1px solid var(--line);
    background: var(--sunk);
    color: var(--quiet);
    font-size: 0.9rem;
  }

  footer.site .wrap {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0.5rem 2rem;
    padding-block: 1.5rem;
  }

  footer.site p {
    margin: 0;
  }

  footer.site a {
    color: inherit;
  }

  .page-head {
    margin-block-end: 1.5rem;
  }

  .page-head > * {
    margin-block: 0 0.5rem;
  }

  .page-head .marks {
    margin-block: 0.75rem 0.5rem;
  }

  .title-row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.25rem 2rem;
  }

  .stepper {
    display: flex;
    gap: 0.5rem;
  }

  .stepper a {
    display: inline-flex;
    align-items: center;
    gap: 0.35rem;
    padding: 0.4rem 0.75rem;
    border: 1px solid var(--line);
    border-radius: 8px;
    background: var(--card);
    color: inherit;
    text-decoration: none;
  }

  .stepper a:hover {
    border-color: var(--accent);
  }

  .lead {
    display: flex;
    gap: 0.5rem;
    align-items: flex-start;
    font-size: 1.1rem;
    color: var(--quiet);
  }

  .lead .icon {
    margin-block-start: 0.25em;
  }

  .crumb {
    font-size: 0.9rem;
    color: var(--quiet);
  }

  .notice {
    display: inline-block;
    padding: 0.3rem 0.8rem;
    border-radius: 99px;
    background: var(--sunk);
    border: 1px solid var(--line);
    font-size: 0.9rem;
  }

  .empty {
    padding: 2.5rem 1rem;
    text-align: center;
    color: var(--quiet);
    border: 1px dashed var(--line);
    border-radius: var(--round);
  }

  .alert {
    color: var(--alert);
    font-weight: 600;
  }

  /* Controls */

  input,
  button,
  select {
    font: inherit;
    color: inherit;
  }

  input:not([type='checkbox'], [type='hidden']) {
    width: 100%;
    padding: 0.55rem 0.8rem;
    background: var(--card);
    border: 1px solid #858d90;
    border-radius: 8px;
  }

  ::placeholder {
    color: var(--quiet);
    opacity: 1;
  }

  button,
  .button {
    display: inline-flex;
    align-items: center;
    gap: 0.5rem;
    padding: 0.55rem 1.1rem;
    border: 1px solid var(--accent);
    border-radius: 8px;
    background: var(--accent);
    color: var(--accent-ink);
    font-weight: 600;
    text-decoration: none;
    cursor: pointer;
  }

  button:hover,
  .button:hover {
    filter: brightness(1.08);
  }

  button[value='reject'] {
    background: none;
    color: var(--accent);
  }

  label {
    display: block;
    margin-block-end: 0.25rem;
    font-weight: 600;
  }

  input[type='checkbox'] + label {
    display: inline;
    font-weight: 400;
  }

  .narrow form button {
    margin-block-end: 0.5rem;
  }

  .panel {
    padding: clamp(1rem, 2.5vw, 1.5rem);
    background: var(--card);
    border: 1px solid var(--line);
    border-radius: var(--round);
    box-shadow: var(--shadow);
  }

  .panel > :last-child {
    margin-block-end: 0;
  }

  .inline {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.75rem;
  }

  .inline label {
    margin: 0;
  }

  .inline input:not([type='hidden']) {
    flex: 1 1 12rem;
    width: auto;
  }

  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.75rem 1.5rem;
    margin-block-end: 2rem;
  }

  .search {
    display: flex;
    flex: 1 1 18rem;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 0.75rem;
    max-width: 30rem;
  }

  .search input[type='search'] {
    flex: 1 1 10rem;
    width: auto;
    min-width: 0;
  }

  .search button {
    padding-inline: 0.8rem;
  }

  .views ul {
    display: flex;
    list-style: none;
    border: 1px solid var(--line);
    border-radius: 8px;
    overflow: hidden;
    background: var(--card);
  }

  .views a {
    display: block;
    padding: 0.55rem 1rem;
    color: inherit;
    text-decoration: none;
  }

  .views li + li {
    border-inline-start: 1px solid var(--line);
  }

  .views a:hover {
    background: var(--sunk);
  }

  .views a[aria-current] {
    background: var(--tint);
    color: var(--tint-ink);
    font-weight: 600;
  }

  .views a:focus-visible {
    outline-offset: -3px;
  }

  .pager {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 1rem;
    margin-block-start: 2.5rem;
    padding-block-start: 1.25rem;
    border-block-start: 1px solid var(--line);
  }

  .pager p {
    margin: 0;
  }

  .pager a {
    display: inline-flex;
    align-items: center;
    gap: 0.5rem;
    text-decoration: none;
    line-height: 1.35;
  }

  .pager a:hover span {
    text-decoration: underline;
  }

  .pager .next {
    margin-inline-start: auto;
    text-align: end;
  }

  .pager p + .next {
    margin-inline-start: 0;
  }

  .pager small {
    display: block;
    color: var(--quiet);
  }

  .foot-links a {
    display: inline-flex;
    align-items: center;
    gap: 0.4rem;
  }

  .foot-links {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 1.5rem;
    margin-block: 2rem 0;
  }

  /* Lists of events */

  .group {
    display: flex;
    align-items: center;
    gap: 1rem;
    margin-block: 2.25rem 1rem;
    font-size: 1.3rem;
  }

  .group::after {
    content: '';
    flex: 1;
    border-block-start: 1px solid var(--line);
  }

  .cards {
    display: grid;
    gap: 0.9rem;
    list-style: none;
  }

  .card {
    position: relative;
    display: grid;
    grid-template-columns: auto 1fr auto;
    gap: 0 1.25rem;
    align-items: start;
    padding: 1.1rem;
    background: var(--card);
    border: 1px solid var(--line);
    border-radius: var(--round);
  }

  .card:hover {
    border-color: var(--accent);
    box-shadow: var(--shadow);
  }

  .card h2,
  .card h3 {
    font-size: 1.25rem;
    margin-block-end: 0.4rem;
  }

  .card h2 a,
  .card h3 a,
  .tile h3 a {
    color: inherit;
    text-decoration: none;
  }

  .card h2 a:hover,
  .card h3 a:hover,
  .tile h3 a:hover {
    text-decoration: underline;
  }

  /* The whole card leads to the event. */
  .card h2 a::after,
  .card h3 a::after,
  .tile h3 a::after {
    content: '';
    position: absolute;
    inset: 0;
    border-radius: var(--round);
  }

  .card h2 a:focus-visible,
  .card h3 a:focus-visible,
  .tile h3 a:focus-visible {
    outline: none;
  }

  .card h2 a:focus-visible::after,
  .card h3 a:focus-visible::after,
  .tile h3 a:focus-visible::after {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }

  .badge {
    display: grid;
    justify-items: center;
    min-width: 3.9rem;
    margin: 0;
    padding: 0.45rem 0.5rem 0.5rem;
    border-radius: 8px;
    background: var(--tint);
    color: var(--tint-ink);
    font-size: 0.8rem;
    line-height: 1.25;
  }

  .badge b {
    font: 600 1.75rem/1.15 var(--serif);
  }

  .facts {
    display: flex;
    gap: 0.5rem;
    margin: 0 0 0.15rem;
    font-size: 0.94rem;
  }

  .facts .icon {
    margin-block-start: 0.2em;
    color: var(--quiet);
  }

  .teaser {
    margin: 0.5rem 0 0;
    max-width: 62ch;
    color: var(--quiet);
    font-size: 0.94rem;
  }

  .card-image img {
    display: block;
    width: 12rem;
    aspect-ratio: 16 / 10;
    object-fit: cover;
    border-radius: 7px;
    background: var(--sunk);
  }

  .marks {
    margin: 0 0 0.35rem;
  }

  .mark {
    display: inline-flex;
    align-items: center;
    gap: 0.3rem;
    padding: 0.05rem 0.6rem 0.05rem 0.45rem;
    border-radius: 99px;
    background: var(--warm-tint);
    color: var(--warm);
    font-size: 0.82rem;
    font-weight: 600;
  }

  .mark.warn {
    padding-inline: 0.6rem;
    background: none;
    box-shadow: inset 0 0 0 1px currentcolor;
    color: var(--alert);
  }

  .chips {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem;
    list-style: none;
  }

  .chips a {
    display: inline-block;
    padding: 0.15rem 0.75rem;
    border-radius: 99px;
    background: var(--tint);
    color: var(--tint-ink);
    font-size: 0.9rem;
    text-decoration: none;
  }

  .chips a:hover {
    text-decoration: underline;
  }

  .front {
    padding-block: 1rem;
  }

  .tiles {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr));
    gap: 1.25rem;
    list-style: none;
  }

  .tile {
    position: relative;
    max-width: 30rem;
  }

  .tile-image {
    aspect-ratio: 16 / 10;
    margin-block-end: 0.75rem;
    border-radius: var(--round);
    background: var(--tint);
    overflow: hidden;
  }

  .tile-image img {
    display: block;
    width: 100%;
    height: 100%;
    object-fit: cover;
  }

  .tile h3 {
    font-size: 1.3rem;
  }

  .tile p {
    margin: 0.2rem 0 0;
  }

  /* One event, venue or organizer */

  .hero img {
    display: block;
    width: 100%;
    border-radius: var(--round);
    background: var(--sunk);
  }

  .hero {
    margin-block-end: 2rem;
  }

  .columns {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 21rem;
    gap: 2rem clamp(2rem, 5vw, 4rem);
    align-items: start;
  }

  .prose {
    max-width: 66ch;
    font-size: 1.08rem;
    line-height: 1.7;
    overflow-wrap: break-word;
  }

  .prose > :last-child {
    margin-block-end: 0;
  }

  .prose ul,
  .prose ol {
    margin-block-end: 1rem;
    padding-inline-start: 1.4rem;
  }

  .prose h2,
  .prose h3 {
    margin-block: 1.5em 0.5em;
  }

  .prose pre,
  .prose table {
    display: block;
    max-width: 100%;
    overflow-x: auto;
  }

  .facts-list dt {
    margin-block-end: 0.15rem;
    color: var(--quiet);
    font-size: 0.82rem;
    font-weight: 600;
  }

  .facts-list dd {
    margin: 0 0 1.1rem;
    overflow-wrap: anywhere;
  }

  .address {
    display: block;
    white-space: normal;
  }

  .address span {
    display: block;
  }

  .linked > :first-child:empty + aside,
  .linked > :only-child {
    grid-column: 1 / -1;
  }

  /* Month */

  .month {
    width: 100%;
    table-layout: fixed;
    border-collapse: collapse;
    background: var(--card);
  }

  .grid-frame {
    border: 1px solid var(--line);
    border-radius: var(--round);
    overflow: hidden;
  }

  .month th {
    padding: 0.6rem;
    font-size: 0.85rem;
    text-align: start;
    color: var(--quiet);
    border-block-end: 1px solid var(--line);
  }

  .month td {
    height: 8rem;
    padding: 0 0 0.4rem;
    vertical-align: top;
    border: 1px solid var(--line);
  }

  .month tr:last-child td {
    border-block-end: 0;
  }

  .month td:first-child {
    border-inline-start: 0;
  }

  .month td:last-child {
    border-inline-end: 0;
  }

  .month .outside {
    background: var(--sunk);
  }

  .month .date {
    margin: 0;
    padding: 0.35rem 0.4rem;
    font-size: 0.9rem;
    color: var(--quiet);
  }

  .month .date a {
    color: inherit;
    text-decoration: none;
  }

  .month .date a:hover {
    text-decoration: underline;
  }

  .month .full {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }

  .month .number {
    display: inline-grid;
    align-items: center;
    height: 1.7rem;
    padding-inline: 0.3rem;
  }

  .month td[aria-current] .number {
    justify-items: center;
    min-width: 1.7rem;
    padding: 0;
    border-radius: 50%;
    background: var(--accent);
    color: var(--accent-ink);
    font-weight: 600;
  }

  .month ul {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 3px;
    list-style: none;
  }

  .month .slot,
  .month .lane {
    min-height: 1.65rem;
    font-size: 0.8rem;
    line-height: 1.3;
  }

  .month .slot a {
    display: block;
    margin-inline: 0.4rem;
    padding: 0.2rem 0.3rem;
    border-radius: 5px;
    color: inherit;
    text-decoration: none;
    overflow-wrap: anywhere;
  }

  .month .slot a:hover {
    background: var(--sunk);
    text-decoration: underline;
  }

  .month .time {
    color: var(--quiet);
    font-size: 0.75rem;
  }

  .month .name {
    display: block;
    font-weight: 600;
    overflow: hidden;
    text-overflow: ellipsis;
  }

  .month .long a {
    height: 1.65rem;
    margin-inline: -1px;
    padding-block: 0.28rem;
    border-radius: 0;
    background: var(--tint);
    color: var(--tint-ink);
    white-space: nowrap;
  }

  .month .long a:hover {
    background: var(--tint);
  }

  .month .long .time {
    display: none;
  }

  /* The name of what goes on runs on with it. */
  .month .long .name {
    position: relative;
    z-index: 1;
    max-width: none;
    padding-inline-end: 0.8rem;
  }

  .month .days-2 .name {
    width: 200%;
  }

  .month .days-3 .name {
    width: 300%;
  }

  .month .days-4 .name {
    width: 400%;
  }

  .month .days-5 .name {
    width: 500%;
  }

  .month .days-6 .name {
    width: 600%;
  }

  .month .days-7 .name {
    width: 700%;
  }

  .month .long:not(.named) .name {
    position: absolute;
    width: 1px;
    height: 1px;
    clip-path: inset(50%);
  }

  .month .long.begins a {
    margin-inline-start: 0.4rem;
    border-start-start-radius: 5px;
    border-end-start-radius: 5px;
  }

  .month .long.ends a {
    margin-inline-end: 0.4rem;
    border-start-end-radius: 5px;
    border-end-end-radius: 5px;
  }

  .month .long.featured a {
    background: var(--warm-tint);
    color: var(--warm);
  }

  .month .more {
    margin: 0.25rem 0.7rem 0;
    font-size: 0.8rem;
  }

  @media (max-width: 60rem) {
    .columns {
      grid-template-columns: minmax(0, 1fr);
    }

    .card-image img {
      width: 8rem;
    }
  }

  @media (max-width: 48rem) {
    main {
      padding-block: 1.5rem 3rem;
    }

    .search {
      max-width: none;
    }

    .stepper {
      flex: 1 1 100%;
      justify-content: space-between;
      margin-block-start: 0.5rem;
    }

    .views,
    .views ul {
      flex: 1 1 100%;
    }

    .views li {
      flex: 1;
      text-align: center;
    }

    .card {
      grid-template-columns: auto 1fr;
      gap: 0 1rem;
      padding: 0.9rem;
    }

    .card-image {
      grid-column: 1 / -1;
      grid-row: 1;
      margin-block-end: 0.9rem;
    }

    .card-image img {
      width: 100%;
      aspect-ratio: 2.2;
    }

    .hero {
      margin-inline: calc(-1 * clamp(1rem, 4vw, 2rem));
    }

    .hero img {
      border-radius: 0;
    }

    /* The month becomes its days, one under the other, and only those on which there is something. */
    .grid-frame {
      border: 0;
      border-radius: 0;
    }

    .month,
    .month tbody,
    .month tr,
    .month td,
    .month .slot,
    .month .slot a {
      display: block;
      background: none;
    }

    .month thead,
    .month .free,
    .month .going:not([aria-current]),
    .month td:not([aria-current]) .slot:not(.news),
    .month .outside,
    .month .lane,
    .month .number {
      display: none;
    }

    .month td {
      height: auto;
      padding: 0;
      border: 0;
      margin-block-end: 1.25rem;
    }

    .month .date {
      padding: 0 0 0.35rem;
      font: 600 1.1rem/1.3 var(--serif);
      color: var(--ink);
    }

    .month .full {
      position: static;
      width: auto;
      height: auto;
      clip-path: none;
    }

    .month td[aria-current] .date::before {
      content: '●';
      margin-inline-end: 0.4rem;
      color: var(--accent);
      font-size: 0.8rem;
      vertical-align: 0.1em;
    }

    .month ul {
      gap: 0;
      border: 1px solid var(--line);
      border-radius: var(--round);
      background: var(--card);
      overflow: hidden;
    }

    .month .slot {
      font-size: 1rem;
      border-block-start: 1px solid var(--line);
    }

    .month .slot:first-child,
    .month .lane:first-child + .slot {
      border-block-start: 0;
    }

    .month .slot a,
    .month .long a,
    .month .long.begins a,
    .month .long.ends a,
    .month .long.featured a {
      height: auto;
      margin: 0;
      padding: 0.65rem 0.9rem;
      border-radius: 0;
      background: none;
      color: inherit;
      white-space: normal;
    }

    .month .time,
    .month .long .time {
      display: block;
      font-size: 0.9rem;
    }

    .month .long .name,
    .month .long:not(.named) .name {
      position: static;
      width: auto;
      height: auto;
      padding: 0;
      clip-path: none;
    }
  }

  @media (prefers-reduced-motion: reduce) {
    html {
      scroll-behavior: auto;
    }
  }

  @media print {
    :root {
      --paper: #fff;
      --card: #fff;
      --sunk: #fff;
      --tint: #fff;
      --warm-tint: #fff;
      --line: #bbb;
      --ink: #000;
      --quiet: #333;
      --accent: #000;
      --tint-ink: #000;
      --warm: #000;
      --shadow: none;
    }

    body {
      font-size: 10.5pt;
    }

    header.site nav,
    footer.site,
    .skip,
    .bar,
    .pager,
    .foot-links,
    .button,
    .crumb,
    form {
      display: none;
    }

    main {
      padding-block: 1rem 0;
    }

    .card,
    .month td,
    .panel {
      break-inside: avoid;
    }

    .card-image {
      display: none;
    }

    .hero img {
      width: auto;
      max-height: 14rem;
    }

    .prose a[href^='http']::after {
      content: ' (' attr(href) ')';
      font-size: 0.85em;
      overflow-wrap: anywhere;
    }
  }
`;
