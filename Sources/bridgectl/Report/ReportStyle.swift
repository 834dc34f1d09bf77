/// How a report looks and what its filter does. Colors hold a contrast of 4.5 to 1 in both schemes.
enum ReportStyle {
    static let css = """
        :root {
          --back: #ffffff; --card: #f6f7f9; --text: #1b1f24; --soft: #57606a; --line: #d5dae0;
          --mark: #0b5cad;
          --screen: #0b5cad; --input: #17692f; --action: #8a4600; --purchase: #7a2a9b;
          --profile: #00636b; --question: #6b5400; --error: #b3211f; --other: #57606a;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --back: #14171b; --card: #1c2127; --text: #e8ebef; --soft: #a3adb8; --line: #363d46;
            --mark: #7ab8f5;
            --screen: #7ab8f5; --input: #7fd494; --action: #f0ac6a; --purchase: #d6a3ee;
            --profile: #6fd3da; --question: #dcc25c; --error: #ff9b94; --other: #a3adb8;
          }
        }
        * { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; }
        body {
          margin: 0 auto; padding: 1rem; max-width: 60rem; background: var(--back);
          color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
        }
        h1 { font-size: 1.5rem; line-height: 1.25; margin: 0.5rem 0; }
        h2 {
          font-size: 1.125rem; margin: 2rem 0 0.25rem; padding-bottom: 0.25rem;
          border-bottom: 2px solid var(--line);
        }
        h2 span { color: var(--soft); font-size: 0.875rem; font-weight: 400; margin-left: 0.5rem; }
        .facts, .remark, .shown { color: var(--soft); margin: 0.25rem 0; font-size: 0.875rem; }
        .skip { position: absolute; left: -100rem; }
        .skip:focus { left: 1rem; top: 1rem; background: var(--back); padding: 0.5rem; }
        .filter {
          background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem;
          padding: 0.75rem; margin: 1rem 0; display: flex; flex-wrap: wrap; gap: 0.5rem 1rem;
          align-items: center;
        }
        .filter[hidden] { display: none; }
        fieldset {
          border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.25rem 0.875rem;
          width: 100%;
        }
        legend { float: left; padding: 0; margin-right: 0.5rem; font-weight: 600; }
        label { white-space: nowrap; padding: 0.25rem 0; font-size: 0.9375rem; }
        input, select {
          font: inherit; color: inherit; background: var(--back); border: 1px solid var(--soft);
          border-radius: 0.25rem; padding: 0.25rem 0.5rem; max-width: 100%;
        }
        .search { display: flex; gap: 0.375rem; align-items: baseline; }
        .search input { flex: 1; min-width: 0; }
        input[type="checkbox"] { 
          accent-color: var(--mark); width: 1rem; height: 1rem; vertical-align: -2px;
        }
        .shown { margin-left: auto; }
        :focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; }
        ol { list-style: none; margin: 0; padding: 0; }
        li {
          display: grid; grid-template-columns: 6rem 4rem 5.5rem 1fr auto; gap: 0 0.75rem;
          align-items: baseline; padding: 0.375rem 0 0.375rem 0.75rem;
          border-left: 3px solid var(--line); border-bottom: 1px solid var(--line);
        }
        li[hidden], section[hidden] { display: none; }
        li.error { border-left-color: var(--error); }
        li > time, .since { color: var(--soft); font-size: 0.8125rem; font-variant-numeric: tabular-nums; }
        .since { text-align: right; white-space: nowrap; }
        .badge {
          font-size: 0.75rem; font-weight: 600; line-height: 1.5; border: 1px solid currentColor;
          border-radius: 0.75rem; padding: 0 0.5rem; justify-self: start; white-space: nowrap;
        }
        .screen.badge { color: var(--screen); } .input.badge { color: var(--input); }
        .action.badge { color: var(--action); } .purchase.badge { color: var(--purchase); }
        .profile.badge { color: var(--profile); } .question.badge { color: var(--question); }
        .error.badge { color: var(--error); } .other.badge { color: var(--other); }
        code, pre { font: 0.875rem/1.45 ui-monospace, monospace; }
        code { font-weight: 600; }
        .told { margin: 0; }
        .details { font-size: 0.9375rem; margin-left: 0.75rem; }
        details[open] { grid-column: 1 / -1; }
        summary { color: var(--soft); font-size: 0.8125rem; cursor: pointer; width: fit-content; }
        pre {
          background: var(--card); border: 1px solid var(--line); border-radius: 0.25rem;
          margin: 0.25rem 0; padding: 0.5rem; overflow-x: auto; white-space: pre;
          overflow-wrap: normal; max-height: 24rem;
        }
        @media (max-width: 40rem) {
          body { padding: 0.75rem; }
          li { grid-template-columns: auto auto 1fr; gap: 0 0.5rem; padding: 0.5rem 0 0.5rem 0.625rem; }
          .since { text-align: left; }
          li > .badge { justify-self: end; }
          .told, details { grid-column: 1 / -1; }
          .details { display: block; margin-left: 0; }
          summary { padding: 0.375rem 0; }
          .shown { margin-left: 0; width: 100%; }
          .search { width: 100%; }
        }
        @media print { .filter, .skip { display: none; } li { break-inside: avoid; } }
        """

    static let script = """
        "use strict";
        const form = document.querySelector("form.filter");
        const entries = [...document.querySelectorAll("li[data-topic]")];
        const words = new Map(entries.map(entry => [entry, entry.textContent.toLowerCase()]));
        function filter() {
          const topics = new Set(
            [...form.querySelectorAll("input[name=topic]:checked")].map(box => box.value));
          const find = form.elements.find.value.trim().toLowerCase();
          const view = form.elements.view ? form.elements.view.value : "";
          let shown = 0;
          for (const entry of entries) {
            const isShown = topics.has(entry.dataset.topic)
              && (view === "" || entry.dataset.view === view)
              && (find === "" || words.get(entry).includes(find));
            entry.hidden = !isShown;
            shown += isShown ? 1 : 0;
          }
          for (const section of document.querySelectorAll("section")) {
            section.hidden = !section.querySelector("li:not([hidden])");
          }
          form.querySelector(".shown").textContent = shown + " of " + entries.length + " shown";
        }
        form.hidden = false;
        form.addEventListener("input", filter);
        form.addEventListener("submit", event => event.preventDefault());
        filter();
        """
}
