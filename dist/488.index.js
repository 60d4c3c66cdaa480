"use strict";
exports.id = 488;
exports.ids = [488];
exports.modules = {

/***/ 488:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  inspectXml: () => (/* binding */ inspectXml)
});

// EXTERNAL MODULE: ./lib/scan/document/recognise.js + 4 modules
var recognise = __webpack_require__(3672);
// EXTERNAL MODULE: ./lib/scan/content/bytes.js
var content_bytes = __webpack_require__(4617);
// EXTERNAL MODULE: ./lib/scan/content/faults.js
var faults = __webpack_require__(7093);
// EXTERNAL MODULE: ./lib/scan/content/other.js
var other = __webpack_require__(7804);
// EXTERNAL MODULE: ./node_modules/saxes/saxes.js
var saxes = __webpack_require__(9800);
;// CONCATENATED MODULE: ./lib/scan/content/xml-scanner.js

/** What the parser keeps costs memory; no scan has as many levels, or attributes of one element. */
const MAX_DEPTH = 1000;
const MAX_ATTRIBUTES = 1000;
/** The parser keeps a tag, a comment or a text until it has it whole, in characters. */
const MAX_TOKEN_CHARACTERS = 4 * 1024 * 1024;
/** Each costs the parser an error of its own. */
const MAX_TOLERATED = 1000;
/** Longer texts are nothing that a layout asks for. */
const MAX_TEXT_CHARACTERS = 256;
/** Where there is a DTD, only a reader of all of it could judge that. */
const TOLERATED = /undefined entity/;
class XmlStop extends Error {
    reading;
    constructor(reading) {
        super('The document is read no further.');
        this.name = 'XmlStop';
        this.reading = reading;
    }
}
/**
 * Reads XML piece by piece and tells the visitor of it: the root element, its namespace as `@xmlns`,
 * and the elements in the root's namespace. No entity of the document's own is expanded, and nothing
 * is fetched.
 */
class XmlScanner {
    #visitor;
    #parser = new saxes/* SaxesParser */.wT({ position: false });
    #root;
    /** Of the names in the root's namespace: empty, or with its colon. */
    #prefix = '';
    #namespace = '';
    #depth = 0;
    /** The depth of the element that is of no interest; 0 while there is none. */
    #mutedDepth = 0;
    #text = '';
    #hasDtd = false;
    #tolerated = 0;
    #isClosing = false;
    #attributes = 0;
    /** Characters since the parser last told of anything. */
    #silence = 0;
    #reading;
    constructor(visitor) {
        this.#visitor = visitor;
        this.#parser.on('opentag', (tag) => this.#open(tag));
        this.#parser.on('attribute', () => this.#countAttribute());
        this.#parser.on('closetag', () => this.#close());
        this.#parser.on('text', (text) => this.#addText(text));
        this.#parser.on('cdata', (text) => this.#addText(text));
        this.#parser.on('doctype', () => {
            this.#hasDtd = true;
        });
        this.#parser.on('error', (error) => this.#judge(error));
    }
    /** Reads on; returns whether what follows matters. */
    push(piece) {
        this.#silence += piece.length;
        this.#attempt(() => {
            this.#parser.write(piece);
            if (this.#silence > MAX_TOKEN_CHARACTERS)
                this.#abandon();
        });
        return this.#reading === undefined;
    }
    /** How the document was read, now that all of it has been pushed; a head may end anywhere. */
    end(isHead) {
        this.#isClosing = true;
        if (!isHead)
            this.#attempt(() => this.#parser.close());
        return this.#reading ?? { root: this.#root, isAbandoned: false };
    }
    #attempt(step) {
        if (this.#reading !== undefined)
            return;
        try {
            step();
        }
        catch (error) {
            if (!(error instanceof XmlStop))
                throw error;
            this.#reading = error.reading;
        }
    }
    #judge(error) {
        if (this.#hasDtd && TOLERATED.test(error.message)) {
            this.#tolerated += 1;
            if (this.#tolerated > MAX_TOLERATED)
                this.#abandon();
            return;
        }
        const fault = { position: this.#parser.position, isCut: this.#isClosing };
        throw new XmlStop({ root: this.#root, fault, isAbandoned: false });
    }
    #abandon() {
        throw new XmlStop({ root: this.#root, isAbandoned: true });
    }
    #countAttribute() {
        this.#silence = 0;
        this.#attributes += 1;
        if (this.#attributes > MAX_ATTRIBUTES)
            this.#abandon();
    }
    #open({ name, attributes }) {
        this.#silence = 0;
        this.#attributes = 0;
        this.#depth += 1;
        if (this.#depth > MAX_DEPTH)
            this.#abandon();
        this.#text = '';
        if (this.#depth === 1)
            this.#openRoot(name, attributes);
        else if (this.#mutedDepth === 0 && !this.#enter(name, attributes)) {
            this.#mutedDepth = this.#depth;
        }
    }
    #openRoot(name, attributes) {
        this.#root = name;
        this.#prefix = name.slice(0, name.indexOf(':') + 1);
        this.#namespace = this.#readNamespace(attributes) ?? '';
        if (!this.#visitor.enter(name.slice(this.#prefix.length))) {
            this.#mutedDepth = 1;
            return;
        }
        if (!this.#visitor.enter('@xmlns'))
            return;
        this.#visitor.write(this.#namespace);
        this.#visitor.leave();
    }
    /** Elements of another namespace than the root's are of no interest. */
    #enter(name, attributes) {
        const namespace = this.#readNamespace(attributes) ?? this.#namespace;
        if (!name.startsWith(this.#prefix) || namespace !== this.#namespace)
            return false;
        const local = name.slice(this.#prefix.length);
        return !local.includes(':') && this.#visitor.enter(local);
    }
    /** The namespace that an element gives to the root's prefix. */
    #readNamespace(attributes) {
        return attributes[this.#prefix === '' ? 'xmlns' : `xmlns:${this.#prefix.slice(0, -1)}`];
    }
    #addText(text) {
        this.#silence = 0;
        if (this.#text.length <= MAX_TEXT_CHARACTERS)
            this.#text += text;
    }
    #close() {
        this.#silence = 0;
        if (this.#mutedDepth === 0) {
            const text = this.#text.trim();
            if (this.#visitor.wantsText && text.length <= MAX_TEXT_CHARACTERS)
                this.#visitor.write(text);
            this.#visitor.leave();
        }
        else if (this.#mutedDepth === this.#depth)
            this.#mutedDepth = 0;
        this.#depth -= 1;
    }
}

;// CONCATENATED MODULE: ./lib/scan/content/xml.js





/** What begins like a start tag or anything that may stand before it; a web page does not. */
const OPENING = /^<(?:\??[A-Za-z_:\x80-\xff]|!--|!doctype\s(?!\s*html[\s>]))/i;
/** How much of the beginning is looked at for that. */
const OPENING_BYTES = 1024;
/** How much of the end is looked at for the root's end tag where a fault shows only there. */
const ENDING_CHARACTERS = 2048;
/**
 * What a text is that begins like an XML document; undefined for anything else, web pages included.
 * Of a text that is not read to its end, the head tells what it is and the tail whether it was cut.
 */
async function inspectXml(sample) {
    const opening = sample.head.toString('latin1', 0, OPENING_BYTES);
    if (!OPENING.test(opening))
        return undefined;
    const document = (0,recognise/* makeCollector */.M)('xml');
    const encoding = sample.isMarked ? 'utf-8' : chooseEncoding(opening);
    const reading = await scanPieces(sample, encoding, document);
    const isRead = sample.isWhole && !reading.isAbandoned && !document.isOverfull;
    const inspected = isRead ? 'whole' : 'ends';
    if (/^html$/i.test(reading.root ?? ''))
        return { format: 'unknown', inspected, kind: other/* HTML */.g };
    // What only begins like XML, as a text behind a comment does.
    if (reading.root === undefined && reading.fault?.isCut === false)
        return undefined;
    const tail = sample.isWhole && !reading.isAbandoned ? undefined : await sample.tail();
    const fault = findFault(sample.size, tail, reading, encoding);
    return {
        ...(0,recognise/* describeDocument */.p)('xml', document, isRead && fault === undefined),
        inspected,
        ...(fault !== undefined && { fault }),
    };
}
async function scanPieces({ start, pieces, isWhole }, encoding, document) {
    const scanner = new XmlScanner(document);
    const check = new content_bytes/* Utf8Check */.Iw(start);
    const decoder = new TextDecoder(encoding);
    const countBytes = (part) => 
    // Other encodings are taken for one byte a character.
    encoding === 'utf-8' ? Buffer.byteLength(part) : part.length;
    let [text, ending, characters, bytes] = ['', '', 0, start];
    for await (const piece of pieces()) {
        characters += text.length;
        bytes += countBytes(text);
        check.push(piece);
        text = decoder.decode(piece, { stream: true });
        ending = (ending + text).slice(-ENDING_CHARACTERS);
        if (!scanner.push(text))
            break;
    }
    if (isWhole) {
        check.end();
        scanner.push(decoder.decode());
    }
    const { fault, ...reading } = scanner.end(!isWhole);
    const offset = bytes + countBytes(text.slice(0, (fault?.position ?? 0) - characters));
    return {
        ...reading,
        fault: fault && { offset, isCut: fault.isCut },
        invalidAt: encoding === 'utf-8' ? check.invalidAt : undefined,
        ending,
    };
}
/** `tail` is given where the document was not read up to it. */
function findFault(size, tail, { root, fault, invalidAt, ending }, encoding) {
    const cut = (0,faults/* describeCut */.e)('XML', size);
    // A fault may show only at the end, as that of an ampersand, whose reference might have gone on.
    const isEnded = root !== undefined && endsWithTag(ending.trimEnd(), root) === true;
    if (fault?.isCut === true && !isEnded)
        return cut;
    // Whichever comes first; what was read beyond the fault depends on the pieces.
    if (invalidAt !== undefined && invalidAt <= (fault?.offset ?? invalidAt)) {
        return (0,faults/* describeInvalid */.x)(invalidAt);
    }
    if (fault !== undefined)
        return `is not well-formed XML (read up to byte ${fault.offset})`;
    if (tail === undefined || root === undefined)
        return undefined;
    const text = new TextDecoder(encoding).decode((0,content_bytes/* trimEnd */.s8)(tail));
    return endsWithTag(text, root) === false ? cut : undefined;
}
/** The encoding that the XML declaration names; what is read as ASCII up to there is no UTF-16. */
function chooseEncoding(opening) {
    const label = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(opening)?.[1];
    try {
        const { encoding } = new TextDecoder(label);
        return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
    }
    catch {
        return 'windows-1252';
    }
}
/**
 * Whether the root's end tag is there, behind which only comments and instructions may stand;
 * undefined where these hide it, being longer than the ending.
 */
function endsWithTag(ending, root) {
    let text = ending;
    for (let start = findEpilogStart(text); start !== undefined; start = findEpilogStart(text)) {
        text = text.slice(0, Math.max(start, 0)).trimEnd();
    }
    if (text === '')
        return undefined;
    return text.endsWith('>') && text.slice(0, -1).trimEnd().endsWith(`</${root}`);
}
/** Where the comment or instruction begins that ends a text: -1 if before it; undefined for none. */
function findEpilogStart(text) {
    if (text.endsWith('-->'))
        return text.lastIndexOf('<!--');
    return text.endsWith('?>') ? text.lastIndexOf('<?') : undefined;
}


/***/ })

};
;
//# sourceMappingURL=488.index.js.map