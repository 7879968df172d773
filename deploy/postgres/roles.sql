-- Run by the PostgreSQL image once, when its volume is new: an account for each program, neither of which
-- can reach what belongs to the other.
\getenv emissor_password EMISSOR_DATABASE_PASSWORD
\getenv api_password EMISSOR_API_DATABASE_PASSWORD
\getenv worker_password EMISSOR_WORKER_DATABASE_PASSWORD
\getenv dashboard_password EMISSOR_DASHBOARD_DATABASE_PASSWORD
\getenv operator_password EMISSOR_OPERATOR_DATABASE_PASSWORD
\getenv temporal_password TEMPORAL_DATABASE_PASSWORD

-- The owner of the database, for "emissor migrate" alone: nobody else changes the schema.
CREATE ROLE emissor LOGIN PASSWORD :'emissor_password';
CREATE DATABASE emissor OWNER emissor;

-- The roles, to which "emissor migrate" grants what each needs, and an account in each.
CREATE ROLE emissor_api NOLOGIN;
CREATE ROLE emissor_worker NOLOGIN;
CREATE ROLE emissor_dashboard NOLOGIN;
CREATE ROLE emissor_operator NOLOGIN;
CREATE ROLE emissor_api_user LOGIN PASSWORD :'api_password' IN ROLE emissor_api;
CREATE ROLE emissor_worker_user LOGIN PASSWORD :'worker_password' IN ROLE emissor_worker;
CREATE ROLE emissor_dashboard_user LOGIN PASSWORD :'dashboard_password' IN ROLE emissor_dashboard;
CREATE ROLE emissor_operator_user LOGIN PASSWORD :'operator_password' IN ROLE emissor_operator;

REVOKE ALL ON DATABASE emissor FROM PUBLIC;
GRANT CONNECT ON DATABASE emissor TO emissor_api, emissor_worker, emissor_dashboard, emissor_operator;
\connect emissor
REVOKE CREATE ON SCHEMA public FROM PUBLIC; -- which PostgreSQL 14 gives
GRANT CREATE ON SCHEMA public TO emissor;

-- Its schema job creates its two databases.
CREATE ROLE temporal LOGIN CREATEDB PASSWORD :'temporal_password';
