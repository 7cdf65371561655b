const project = `# What surrounds the pipelines of this folder: plugins, numbers, rules. Every line may be left out.
pipelines: [pipelines/*.yaml]
`;

const pipeline = `# yaml-language-server: $schema=../node_modules/@codesoul-co/ditto/schema/pipeline.schema.json
#   ditto run pipelines/articles.yaml --query "I cannot sign in"
version: 1
name: articles
description: Hybrid search over a few articles.

resources:                                    # opened in order, closed in reverse
  db:
    sqlite: { file: ../data/articles.db }     # made at the first write
  encoder:
    local-embedding: {}                       # English and Chinese, comes with the package
  articles:
    sqlite.collection:                        # table, text index and vectors in one
      database: db
      embedding: encoder
      fields:
        title: { type: string, required: true }
        product: { type: string }

ingest:
  articles:
    into: articles
    input:                                    # JSON Schema of a record
      type: object
      required: [id, title, body]
      properties:
        id: { type: string }
        title: { type: string }
        body: { type: string }
        product: { type: string }
    id: \${ input.id }
    content: "\${ input.title }\\n\${ input.body }"
    metadata:
      title: \${ input.title }
      product: \${ input.?product }
    records: articles.jsonl
    fill: true                                # the first run fills the empty collection

targets:
  articles:
    default: hybrid
    strategies:
      vector: { vector: { collection: articles } }
      keyword: { text: { collection: articles } }
      hybrid:
        hybrid:
          fusion: minmax                      # scores scaled to 0..1 in each branch, then weighed
          candidateLimit: 50
          branches:
            vector: { weight: 1 }
            keyword: { weight: 1 }
`;

const records = [
  {
    id: "reset-password",
    title: "Reset your password",
    body: "Choose Forgot password on the sign-in page. We send a link that works once, for an hour.",
    product: "web",
  },
  {
    id: "locked-account",
    title: "When your account is locked",
    body: "After ten wrong passwords you are locked out for half an hour. Waiting, or a new password, ends it.",
    product: "web",
  },
  {
    id: "refund",
    title: "Get your money back",
    body: "Ask for a refund within 30 days of the payment. It goes back to the card you paid with.",
    product: "billing",
  },
  { id: "invoice", title: "Find an invoice", body: "All invoices are under Billing, as PDF files, from the day after the payment.", product: "billing" },
  {
    id: "export",
    title: "Export your data",
    body: "Settings, Export writes everything you have as CSV files and sends a link when they are ready.",
    product: "web",
  },
  { id: "忘记密码", title: "忘记密码怎么办", body: "在登录页面点击“忘记密码”，我们会发送一个一小时内有效的链接，用它设置新密码。", product: "web" },
];

const ignored = `data/
.ditto/
.env
`;

/** The files of a first project by their path in its folder. */
export const projectFiles: Readonly<Record<string, string>> = {
  "ditto.yaml": project,
  "pipelines/articles.yaml": pipeline,
  "pipelines/articles.jsonl": records.map((record) => `${JSON.stringify(record)}\n`).join(""),
  ".gitignore": ignored,
};
