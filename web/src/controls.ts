// Elements of the page that people click or type into; all are those of HTML, which the keyboard
// reaches by itself.

export function addElement<Name extends keyof HTMLElementTagNameMap>(
  parent: Element,
  name: Name,
  className = "",
  text = "",
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  if (className !== "") element.className = className;
  if (text !== "") element.textContent = text;
  parent.append(element);
  return element;
}

export interface Option<Value extends string> {
  value: Value;
  label: string;
}

// A few words side by side, one of which is chosen. Returns what marks the chosen one.
export function addChoice<Value extends string>(
  parent: Element,
  label: string,
  options: Option<Value>[],
  choose: (value: Value) => void,
): (value: Value) => void {
  const box = addElement(parent, "fieldset", "choice");
  addElement(box, "legend", "", label);
  const name = `choice-${label.replace(/\W+/g, "-")}-${document.querySelectorAll("fieldset").length}`;
  const buttons = options.map(({ value, label: text }) => {
    const around = addElement(box, "label");
    const button = addElement(around, "input");
    button.type = "radio";
    button.name = name;
    button.value = value;
    button.addEventListener("change", () => choose(value));
    addElement(around, "span", "", text);
    return button;
  });
  return (value) => {
    for (const button of buttons) button.checked = button.value === value;
  };
}

export function addSelect(
  parent: Element,
  label: string,
  options: Option<string>[],
  choose: (value: string) => void,
): (value: string) => void {
  const around = addElement(parent, "label", "select");
  addElement(around, "span", "", label);
  const select = addElement(around, "select");
  for (const { value, label: text } of options) {
    const option = addElement(select, "option", "", text);
    option.value = value;
  }
  select.addEventListener("change", () => choose(select.value));
  return (value) => {
    select.value = value;
  };
}

// Each letter is told.
export function addSearch(parent: Element, search: (text: string) => void): (text: string) => void {
  const around = addElement(parent, "label", "search");
  addElement(around, "span", "", "Search");
  const input = addElement(around, "input");
  input.type = "search";
  input.addEventListener("input", () => search(input.value));
  return (text) => {
    if (input.value !== text) input.value = text;
  };
}

export function addButton(parent: Element, text: string, press: () => void): HTMLButtonElement {
  const button = addElement(parent, "button", "", text);
  button.type = "button";
  button.addEventListener("click", press);
  return button;
}
